import type { USER_FILTERS } from '#app/domain/accounts/limits.ts';
import { OVERVIEW } from '#app/routes/admin/tabs.tsx';

export type UsersFilter = (typeof USER_FILTERS)[number];
/** An empty string means no filter. */
export type UsersQuery = { q: string; show: UsersFilter | ''; cursor: string };

/** `user`: the ID of the user whose posts are open in the list. */
export function usersAddress(filter: Partial<UsersQuery>, user = ''): string {
  const params = Object.entries({ tab: 'users', ...filter, user }).filter(([, value]) => value !== '');
  return `${OVERVIEW}?${new URLSearchParams(params)}${user && `#user-${user}`}`;
}

export type UserDialog = 'end-sessions' | 'disable' | 'enable' | 'extend';

export const userAddress = (userId: string, dialog?: UserDialog) =>
  `${OVERVIEW}/users/${userId}${dialog ? `?dialog=${dialog}` : ''}`;
