import { CalendarClock } from 'lucide-react';
import { db } from '#app/db/client.ts';
import { findTrusted } from '#app/domain/queue/trusted-topics.ts';
import { actorOf } from '#app/http/session.ts';
import { onDemand } from '#app/ui/on-demand.tsx';
import { EmptyState, PageHeader } from '#app/ui/page.tsx';
import { KeepFresh } from '#app/ui/refresh.tsx';
import type { Route } from './+types/scheduled.ts';
import { loadCalendar } from './calendar-load.ts';
import { CalendarPage } from './calendar-page.tsx';
import { Views } from './calendar-views.tsx';
import { loadQueue } from './load.ts';
import { PostDialogs } from './post-dialogs.tsx';
import { Pager, StrayErrors } from './post-parts.tsx';
import { QueueCard } from './queue-card.tsx';
import { saveForm } from './save-form.ts';
import { SlotRows } from './slot-rows.tsx';
import { WriteLink } from './write-link.tsx';

const PAGE = '/app/scheduled';

/** It is offered once for a topic. */
const TrustOffer = onDemand(async () => (await import('../trust-offer.tsx')).TrustOffer);

export const meta: Route.MetaFunction = () => [{ title: 'Scheduled Posts – Tidepost' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const [actor, query] = [actorOf(context), new URL(request.url).searchParams];
  const calendar = await loadCalendar(db(), actor, query);
  if (calendar) return { calendar };
  const [queue, trusted] = await Promise.all([
    loadQueue(db(), actor, query),
    query.has('cursor') ? null : findTrusted(db(), actor),
  ]);
  if (trusted) await TrustOffer.load();
  return { calendar, queue: { ...queue, trusted } };
}

export const action = (args: Route.ActionArgs) => saveForm(args, PAGE);

export default function Scheduled({ loaderData, actionData }: Route.ComponentProps) {
  const { calendar, queue } = loaderData;
  return calendar ? <CalendarPage calendar={calendar} /> : <Queue queue={queue} result={actionData} />;
}

type Data = NonNullable<Route.ComponentProps['loaderData']['queue']>;
type QueueProps = { queue: Data; result: Route.ComponentProps['actionData'] };

/** The list of what waits. */
function Queue({ queue, result }: QueueProps) {
  const { days, zone, search, fresh, next, isLater, isPlanned, isMoving, hasTopics, trusted } = queue;
  const closeTo = search ? `${PAGE}?${search}` : PAGE;
  return (
    <>
      <PageHeader
        title="Scheduled Posts"
        description={`What goes out next. ${zone}. Change anything until it is published.`}
        actions={days.length > 0 && <WriteLink hasTopics={hasTopics} />}
      />
      <Views />
      <StrayErrors posts={days.flatMap(({ posts }) => posts)} />
      {trusted && <TrustOffer topic={trusted} from={PAGE} />}
      {days.length === 0 && (
        <EmptyState
          icon={CalendarClock}
          title="No scheduled posts"
          text="Posts written from your topics wait here until their time, so that you can read and change them first."
          action={<WriteLink hasTopics={hasTopics} />}
        />
      )}
      {days.map((day) => (
        <Day key={day.heading} {...day} {...{ isPlanned, search, closeTo, result }} />
      ))}
      <Pager next={next} first={isLater ? PAGE : null} nextLabel="Next" firstLabel="Back to the soonest" />
      <PostDialogs {...queue} closeTo={closeTo} />
      {isMoving && !result && <KeepFresh to={fresh} />}
    </>
  );
}

type DayProps = Data['days'][number] &
  Pick<Data, 'search'> & { isPlanned: boolean; closeTo: string; result: QueueProps['result'] };

/** The posts of one local day, and between them its slots that are open. */
function Day({ heading, posts, open, ...page }: DayProps) {
  const cards = posts.map((post) => ({
    at: post.publishAt?.iso ?? '',
    item: <QueueCard key={post.id} post={post} {...page} />,
  }));
  const rows = open.map((row) => ({
    at: row.time.iso,
    item: (
      <li key={row.key}>
        <SlotRows rows={[row]} label={`${row.time.text}, open`} from={PAGE} />
      </li>
    ),
  }));
  return (
    <section aria-label={heading} className="mb-6">
      <h2 className="day-heading">{heading}</h2>
      <ul className="grid gap-4">
        {[...cards, ...rows].toSorted((a, b) => a.at.localeCompare(b.at)).map(({ item }) => item)}
      </ul>
    </section>
  );
}
