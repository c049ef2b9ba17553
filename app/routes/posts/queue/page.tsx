import { CalendarClock } from 'lucide-react';
import { db } from '#app/db/client.ts';
import { actorAndTime, shellOf } from '#app/http/session/session.ts';
import { loadCalendar } from '#app/routes/posts/calendar/load.ts';
import { ViewTabs } from '#app/routes/posts/calendar/view-tabs.tsx';
import { saveForm } from '#app/routes/posts/editor/save.ts';
import { loadQueue } from '#app/routes/posts/load.ts';
import { StrayErrors } from '#app/routes/posts/post-parts.tsx';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner, EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import type { Route } from './+types/page.ts';
import { QueueDay } from './day.tsx';
import lineStyles from './rows.css?url';
import { WriteLink } from './write-link.tsx';

const PAGE = '/app/scheduled';

const CalendarPage = onDemand(
  async () => (await import('#app/routes/posts/calendar/calendar-page.tsx')).CalendarPage,
);
const PostDialogs = onDemand(async () => (await import('#app/routes/posts/dialogs.tsx')).PostDialogs);

/** Loaded only when needed: it is offered once per topic. */
const TrustOffer = onDemand(async () => (await import('#app/routes/topics/trust-offer.tsx')).TrustOffer);

export const meta: Route.MetaFunction = () =>
  pageMeta('Scheduled Posts', 'Posts that wait for their time or for your word, as a list or in a calendar.');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const query = new URL(request.url).searchParams;
  const calendar = await loadCalendar(db(), actor, query, now);
  if (calendar) {
    await CalendarPage.load();
    return { calendar };
  }
  const queue = await loadQueue(db(), actor, query, shellOf(context), now);
  if (queue.trusted) await TrustOffer.load();
  if (hasDialog(queue)) await PostDialogs.load();
  return { calendar, queue };
}

export const action = (args: Route.ActionArgs) => saveForm(args, PAGE);

export default function Scheduled({ loaderData, actionData }: Route.ComponentProps) {
  const { calendar, queue } = loaderData;
  return calendar ? <CalendarPage calendar={calendar} /> : <Queue queue={queue} result={actionData} />;
}

const hasDialog = ({ publishing, deleting, moving }: Awaited<ReturnType<typeof loadQueue>>) =>
  Boolean(publishing || deleting || moving);

type QueueProps = {
  queue: NonNullable<Route.ComponentProps['loaderData']['queue']>;
  result: Route.ComponentProps['actionData'];
};

function Queue({ queue, result }: QueueProps) {
  const { days, author, zone, search, fresh, next, isLater } = queue;
  const { isPlanned, isMoving, writing, hasTopics, trusted } = queue;
  const closeTo = search ? `${PAGE}?${search}` : PAGE;
  const list = { author, isPlanned, search, closeTo, result };
  return (
    <>
      <link rel="stylesheet" href={lineStyles} precedence="view" />
      <PageHeader
        title="Scheduled Posts"
        description={`What goes out next. ${zone}. Change anything until it is published.`}
        actions={days.length > 0 && <WriteLink hasTopics={hasTopics} />}
      />
      <ViewTabs />
      <StrayErrors posts={days.flatMap(({ posts }) => posts)} />
      {trusted && <TrustOffer topic={trusted} from={PAGE} />}
      {writing && <Writing title={writing} />}
      {days.length === 0 && !writing && <NothingScheduled hasTopics={hasTopics} />}
      {days.map((day) => (
        <QueueDay key={day.heading} {...day} {...list} />
      ))}
      <Pager next={next} first={isLater ? PAGE : null} nextLabel="Next" firstLabel="Back to the soonest" />
      {hasDialog(queue) && <PostDialogs {...queue} closeTo={closeTo} />}
      {isMoving && !result && <AutoRefresh to={fresh} />}
    </>
  );
}

const Writing = ({ title }: { title: string }) => (
  <Banner title={title} className="mb-6">
    Each post appears here when it is ready.
  </Banner>
);

const NothingScheduled = ({ hasTopics }: { hasTopics: boolean }) => (
  <EmptyState
    icon={CalendarClock}
    title="No scheduled posts"
    text="Posts written from your topics wait here until their time, so that you can read and change them first."
    action={<WriteLink hasTopics={hasTopics} />}
  />
);
