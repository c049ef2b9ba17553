import { preload } from 'react-dom';
import lineStyles from '#app/routes/posts/queue/rows.css?url';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import calendarStyles from './calendar.css?url';

type ViewsProps = {
  view?: 'month' | 'week' | undefined;
  otherViews?: { month: string; week: string } | undefined;
};

/** A view isn't shown before its style sheet is loaded. */
const fetchStyles = () => {
  for (const sheet of [calendarStyles, lineStyles]) preload(sheet, { as: 'style' });
};

export const ViewTabs = ({ view, otherViews }: ViewsProps) => (
  <TabLinks
    label="Views"
    onPointerEnter={fetchStyles}
    onFocus={fetchStyles}
    tabs={[
      { to: '/app/scheduled', label: 'List', isCurrent: !view },
      {
        to: `?view=week${otherViews ? `&week=${otherViews.week}` : ''}`,
        label: 'Week',
        isCurrent: view === 'week',
      },
      {
        to: `?view=month${otherViews ? `&month=${otherViews.month}` : ''}`,
        label: 'Month',
        isCurrent: view === 'month',
      },
    ]}
  />
);
