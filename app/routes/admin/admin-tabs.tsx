import { TabLinks } from '#app/ui/tabs.tsx';

export const PAYMENTS = '/app/admin?tab=payments';
export const PUBLISHING = '/app/admin/publishing';
export const WRITING = '/app/admin/writing';

/** The parts of the admin's page; each has its own address. */
export const AdminTabs = ({ current }: { current: 'payments' | 'publishing' | 'writing' }) => (
  <TabLinks
    tabs={[
      { to: PAYMENTS, label: 'Payments', isCurrent: current === 'payments' },
      { to: PUBLISHING, label: 'Publishing', isCurrent: current === 'publishing' },
      { to: WRITING, label: 'Writing', isCurrent: current === 'writing' },
    ]}
  />
);
