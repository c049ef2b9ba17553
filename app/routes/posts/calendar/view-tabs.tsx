import { preload } from 'react-dom';
import lineStyles from '#app/routes/posts/queue/rows.css?url';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import calendarStyles from './calendar.css?url';

type ViewsProps = { view?: 'month' | 'week' | undefined; at?: { month: string; week: string } | undefined };

/** Each view has a sheet of styles, without which it is not shown. */
const fetchStyles = () => {
  for (const sheet of [calendarStyles, lineStyles]) preload(sheet, { as: 'style' });
};

/** The views of the queue, each with its own address. */
export const Views = ({ view, at }: ViewsProps) => (
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
