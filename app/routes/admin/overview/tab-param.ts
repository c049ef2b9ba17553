import { EMAIL, OVERVIEW, PAYMENTS, USERS, VISITS } from '#app/routes/admin/tabs.tsx';

/** The tabs of the admin's page itself, with their titles; all that is asked of another one is the first. */
export const DESK_TABS = {
  overview: { to: OVERVIEW, title: 'Admin Dashboard' },
  payments: { to: PAYMENTS, title: 'Payments' },
  email: { to: EMAIL, title: 'Email clicks' },
  visits: { to: VISITS, title: 'Visits' },
  users: { to: USERS, title: 'Users' },
} as const;
export type AdminTab = keyof typeof DESK_TABS;

export function adminTabOf(query: URLSearchParams): AdminTab {
  const asked = query.get('tab') ?? '';
  return Object.hasOwn(DESK_TABS, asked) ? (asked as AdminTab) : 'overview';
}
