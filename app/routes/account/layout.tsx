import type { ReactNode } from 'react';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { PageHeader } from '#app/ui/layout/page.tsx';

const PAGES = {
  profile: { to: '/app/account', label: 'Profile' },
  security: { to: '/app/account/security', label: 'Security' },
  tokens: { to: '/app/account/tokens', label: 'API tokens' },
  emails: { to: '/app/account/emails', label: 'Emails' },
  data: { to: '/app/account/data', label: 'Your data' },
};

type AccountPageProps = { current: keyof typeof PAGES; description: ReactNode; children: ReactNode };

export const AccountPage = ({ current, description, children }: AccountPageProps) => (
  <>
    <PageHeader title={PAGES[current].label} description={description} />
    <TabLinks
      label="Account"
      tabs={Object.entries(PAGES).map(([name, page]) => ({ ...page, isCurrent: name === current }))}
    />
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
  </>
);
