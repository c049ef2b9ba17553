export const POSTING_SCOPE = 'w_member_social';

export const CONNECT_ERRORS = {
  access_denied: 'LinkedIn access was denied',
  member_taken:
    'This LinkedIn profile is connected to another Tidepost account. Disconnect it there, then connect it here.',
  scope_missing:
    'LinkedIn did not give us the permission to post for you. Connect again and allow everything it asks.',
  state_invalid: 'This connection was begun too long ago or in another browser. Please connect again.',
  other_account: 'This was begun for another Tidepost account. Sign out first, or use another browser.',
  account_disabled: 'This account has been stopped, so nothing is connected to it.',
  connect_failed: 'Failed to connect LinkedIn account',
} as const;
export type ConnectError = keyof typeof CONNECT_ERRORS;

export const connectErrorText = (code: string): string =>
  Object.hasOwn(CONNECT_ERRORS, code) ? CONNECT_ERRORS[code as ConnectError] : CONNECT_ERRORS.connect_failed;
