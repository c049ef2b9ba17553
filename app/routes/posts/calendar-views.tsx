import { TabLinks } from '#app/ui/tabs.tsx';

type ViewsProps = { view?: 'month' | 'week' | undefined; at?: { month: string; week: string } | undefined };

/** The views of the queue, each with its own address. */
export const Views = ({ view, at }: ViewsProps) => (
  <TabLinks
    label="Views"
    tabs={[
      { to: '/app/scheduled', label: 'List', isCurrent: !view },
      { to: `?view=week${at ? `&week=${at.week}` : ''}`, label: 'Week', isCurrent: view === 'week' },
      { to: `?view=month${at ? `&month=${at.month}` : ''}`, label: 'Month', isCurrent: view === 'month' },
    ]}
  />
);
