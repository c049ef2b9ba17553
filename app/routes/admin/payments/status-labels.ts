export const STATUS_LABELS = {
  pending: 'Pending',
  active: 'Active',
  expired: 'Expired',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
} as const;
