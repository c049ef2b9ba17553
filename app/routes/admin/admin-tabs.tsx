import { TabLinks } from '#app/ui/tabs.tsx';

export const OVERVIEW = '/app/admin';
export const PAYMENTS = '/app/admin?tab=payments';
export const SUBSCRIPTIONS = '/app/admin/subscriptions';
export const REVENUE = '/app/admin/revenue';
export const PUBLISHING = '/app/admin/publishing';
export const WRITING = '/app/admin/writing';
export const START_PAGE = '/app/admin/start-page';

const TABS = [
  { to: OVERVIEW, label: 'Overview' },
  { to: PAYMENTS, label: 'Payments' },
  { to: SUBSCRIPTIONS, label: 'Plans' },
  { to: PUBLISHING, label: 'Publishing' },
  { to: WRITING, label: 'Writing' },
  { to: START_PAGE, label: 'Start page' },
] as const;

/** The parts of the admin's page; each has its own address. */
export const AdminTabs = ({ current }: { current: (typeof TABS)[number]['to'] }) => (
  <TabLinks tabs={TABS.map(({ to, label }) => ({ to, label, isCurrent: to === current }))} />
);

export const ledgerOf = (userId: string) => `/app/admin/ledgers/${userId}`;
