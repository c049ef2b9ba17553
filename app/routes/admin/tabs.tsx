import type { JobVerb } from '#app/routes/actions.ts';
import { TabLinks } from '#app/ui/components/tabs.tsx';

export const OVERVIEW = '/app/admin';
export const PAYMENTS = '/app/admin?tab=payments';
export const EMAIL = '/app/admin?tab=email';
export const VISITS = '/app/admin?tab=visits';
export const USERS = '/app/admin?tab=users';
export const SUBSCRIPTIONS = '/app/admin/subscriptions';
export const TRENDS = '/app/admin/trends';
export const REVENUE = '/app/admin/revenue';
export const PUBLISHING = '/app/admin/publishing';
export const WRITING = '/app/admin/writing';
export const START_PAGE = '/app/admin/start-page';
export const OPERATIONS = '/app/admin/operations';

const TABS = [
  { to: OVERVIEW, label: 'Overview' },
  { to: TRENDS, label: 'Trends' },
  { to: PAYMENTS, label: 'Payments' },
  { to: EMAIL, label: 'Email' },
  { to: VISITS, label: 'Visits' },
  { to: USERS, label: 'Users' },
  { to: SUBSCRIPTIONS, label: 'Plans' },
  { to: PUBLISHING, label: 'Publishing' },
  { to: WRITING, label: 'Writing' },
  { to: START_PAGE, label: 'Start page' },
  { to: OPERATIONS, label: 'Operations' },
] as const;

/** One row that scrolls sideways on a phone; its faded end shows that there is more. */
const FADE = 'linear-gradient(to left, transparent, #000 2rem)';
const ONE_ROW = {
  scrollSnapType: 'x proximity',
  scrollPaddingInline: '2rem',
  paddingInlineEnd: '2rem',
  maskImage: FADE,
  WebkitMaskImage: FADE,
} as const;

export const AdminTabs = ({ current }: { current: (typeof TABS)[number]['to'] }) => (
  <TabLinks style={ONE_ROW} tabs={TABS.map(({ to, label }) => ({ to, label, isCurrent: to === current }))} />
);

export const ledgerOf = (userId: string) => `/app/admin/ledgers/${userId}`;

/** The lists behind the numbers of the operations page. */
export const OPERATION_LISTS = [
  'due',
  'unknown',
  'unconfirmed',
  'mails',
  'dead',
  'jobs',
  'linkedin',
] as const;
export type OperationList = (typeof OPERATION_LISTS)[number];
export const listAddress = (list: OperationList) => `${OPERATIONS}/list?of=${list}`;
export const jobAddress = (jobId: string, verb: JobVerb) => `${OPERATIONS}/jobs/${jobId}/${verb}`;
