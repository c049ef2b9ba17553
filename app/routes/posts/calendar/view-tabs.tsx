import { preload } from 'react-dom';
import lineStyles from '#app/routes/posts/queue/rows.css?url';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import calendarStyles from './calendar.css?url';

type ViewsProps = { view?: 'month' | 'week' | undefined; at?: { month: string; week: string } | undefined };

/** A view isn't shown before its style sheet is loaded. */
const fetchStyles = () => {
  for (const sheet of [calendarStyles, lineStyles]) preload(sheet, { as: 'style' });
};

export const ViewTabs = ({ view, at }: ViewsProps) => (
  <TabLinks
    label="Views"
    onPointerEnter={fetchStyles}
    onFocus={fetchStyles}
    tabs={[
      { to: '/app/scheduled', label: 'List', isCurrent: !view },
      { to: `?view=week${at ? `&week=${at.week}` : ''}`, label: 'Week', isCurrent: view === 'week' },
      { to: `?view=month${at ? `&month=${at.month}` : ''}`, label: 'Month', isCurrent: view === 'month' },
    ]}
  />
);
