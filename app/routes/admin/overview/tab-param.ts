import { EMAIL, OVERVIEW, PAYMENTS, USERS, VISITS } from '#app/routes/admin/tabs.tsx';

/** The tabs of /app/admin. The other tabs are pages of their own. */
export const OVERVIEW_TABS = {
  overview: { to: OVERVIEW, title: 'Admin Dashboard' },
  payments: { to: PAYMENTS, title: 'Payments' },
  email: { to: EMAIL, title: 'Email clicks' },
  visits: { to: VISITS, title: 'Visits' },
  users: { to: USERS, title: 'Users' },
} as const;
export type AdminTab = keyof typeof OVERVIEW_TABS;

export function adminTabOf(query: URLSearchParams): AdminTab {
  const tab = query.get('tab') ?? '';
  return Object.hasOwn(OVERVIEW_TABS, tab) ? (tab as AdminTab) : 'overview';
}
