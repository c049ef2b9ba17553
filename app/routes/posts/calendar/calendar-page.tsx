import { PostDialogs } from '#app/routes/posts/dialogs.tsx';
import { StrayErrors } from '#app/routes/posts/post-parts.tsx';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { PageHeader } from '#app/ui/layout/page.tsx';
import { Calendar } from './calendar.tsx';
import type { CalendarData } from './load.ts';
import { ViewTabs } from './view-tabs.tsx';

export function CalendarPage({ calendar }: { calendar: CalendarData }) {
  const { span, zone, isMoving, moving } = calendar;
  return (
    <>
      <PageHeader title="Scheduled Posts" description={`What went out and what goes out next. ${zone}.`} />
      <ViewTabs view={span.view} otherViews={span.beside} />
      <StrayErrors posts={[]} />
      <Calendar calendar={calendar} />
      <PostDialogs moving={moving} closeTo={`/app/scheduled?${span.search}`} />
      {isMoving && !moving && <AutoRefresh />}
    </>
  );
}
