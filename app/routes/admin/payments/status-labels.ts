/** How a payment stands, in a word. */
export const STATUS_WORDS = {
  pending: 'Pending',
  active: 'Active',
  expired: 'Expired',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
} as const;
