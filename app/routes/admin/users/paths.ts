import type { USER_FILTERS } from '#app/domain/accounts/limits.ts';
import { OVERVIEW } from '#app/routes/admin/tabs.tsx';

export type UsersFilter = (typeof USER_FILTERS)[number];
/** Which people an address shows: found by what, narrowed to whom, from where on; '' is nothing. */
export type UsersPlace = { q: string; show: UsersFilter | ''; cursor: string };

/** The address of the list, with the posts of one of the people opened in it. */
export function peopleAddress(place: Partial<UsersPlace>, user = ''): string {
  const said = Object.entries({ tab: 'users', ...place, user }).filter(([, value]) => value !== '');
  return `${OVERVIEW}?${new URLSearchParams(said)}${user && `#user-${user}`}`;
}

export const PERSON_DIALOGS = ['end-sessions', 'disable', 'enable', 'extend'] as const;
export type UserDialog = (typeof PERSON_DIALOGS)[number];

/** The page of somebody, with one of its dialogs opened. */
export const personAddress = (userId: string, dialog?: UserDialog) =>
  `${OVERVIEW}/users/${userId}${dialog ? `?dialog=${dialog}` : ''}`;
