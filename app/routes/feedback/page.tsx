import { Lightbulb, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Db, db } from '#app/db/client.ts';
import { type BoardEntry, findFeedback, listBoard } from '#app/domain/feedback/board.ts';
import { FEEDBACK_SEARCH_MAX, FEEDBACK_STATUSES, FEEDBACK_TYPES } from '#app/domain/feedback/limits.ts';
import { BoardQuery } from '#app/domain/feedback/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isCountedCursor, isCursor } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { parseListQuery } from '#app/http/forms/query-params.ts';
import { actorOf } from '#app/http/session/session.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { choiceOf, Filters } from '#app/ui/components/filters.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { TabLinks } from '#app/ui/components/tabs.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import { optionsOf } from '#app/ui/text.ts';
import type { Route } from './+types/page.ts';
import { FeedbackForm } from './form.tsx';
import boardStyles from './page.css?url';
import { BOARD, boardAddress, type Chosen, dialogAt } from './paths.ts';
import { type PresentedEntry, presentFeedback } from './present.ts';
import { BoardLine, DeletedEntry, OpenedEntry } from './row.tsx';
import { storeFeedback } from './save.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Feedback', 'What people wish for and stumble over in Tidepost: vote, or add what is missing.');

export const shouldRevalidate = ignoreDialogParams('open', 'dialog');

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadBoard(actorOf(context), new URL(request.url).searchParams);

export const action = ({ context }: Route.ActionArgs) => storeFeedback({ context }, `${BOARD}?sort=own`);

/** Keeps the order of a page when votes change: an entry must not move away under the user's pointer. New ones are last. */
function useStableOrder(entries: PresentedEntry[], here: string): PresentedEntry[] {
  const [order, setOrder] = useState({ here, ids: entries.map(({ id }) => id) });
  if (order.here !== here) setOrder({ here, ids: entries.map(({ id }) => id) });
  const indexOf = ({ id }: PresentedEntry) =>
    (order.ids.indexOf(id) + order.ids.length + 1) % (order.ids.length + 1);
  return order.here === here ? entries.toSorted((a, b) => indexOf(a) - indexOf(b)) : entries;
}

export default function Feedback({ loaderData, actionData }: Route.ComponentProps) {
  const { chosen, isNarrowed, here, first, next } = loaderData;
  const [query] = useSearchParams();
  const entries = useStableOrder(loaderData.entries, here);
  const openId = query.get('open');
  const opened = [...entries, loaderData.opened].find((entry) => entry?.id === openId);
  const isEmpty = entries.length === 0;
  return (
    <>
      <link rel="stylesheet" href={boardStyles} precedence="page" />
      <PageHeader
        title="Feedback"
        description="What people wish for and stumble over. Vote for what you want, too: the most wanted is looked at first."
        actions={<GiveFeedback here={here} />}
      />
      <TabLinks
        label="Order"
        tabs={SORTS.map(({ sort, label }) => ({
          to: boardAddress({ ...chosen, sort }),
          label,
          isCurrent: sort === chosen.sort,
        }))}
      />
      {(!isEmpty || isNarrowed) && (
        <Filters
          key={JSON.stringify(chosen)}
          chosen={chosen}
          search={{ maxLength: FEEDBACK_SEARCH_MAX }}
          choices={CHOICES}
          params={{ sort: chosen.sort === 'votes' ? '' : chosen.sort }}
          clearTo={isNarrowed ? boardAddress({ sort: chosen.sort }) : null}
        />
      )}
      {isEmpty ? (
        <Empty isNarrowed={isNarrowed} isOwn={chosen.sort === 'own'} here={here} />
      ) : (
        <ul className="lines">
          {entries.map((entry) => (
            <BoardLine key={entry.id} entry={entry} here={here} />
          ))}
        </ul>
      )}
      <Pager first={first} firstLabel="Back to the beginning" next={next} nextLabel="More feedback" />
      {query.get('dialog') === 'feedback' && (
        <Dialog title="Give feedback" closeTo={here}>
          <FeedbackForm sent={actionData} />
        </Dialog>
      )}
      {openId && (opened ? <OpenedEntry entry={opened} here={here} /> : <DeletedEntry here={here} />)}
    </>
  );
}

const GiveFeedback = ({ here }: { here: string }) => (
  <ButtonLink to={dialogAt(here, 'dialog=feedback')} preventScrollReset>
    Give feedback
  </ButtonLink>
);

type EmptyProps = { isNarrowed: boolean; isOwn: boolean; here: string };

function Empty({ isNarrowed, isOwn, here }: EmptyProps) {
  const [icon, title, text] = isNarrowed
    ? [SearchX, 'Nothing like that', 'Titles and descriptions are searched, as they stand.']
    : isOwn
      ? [Lightbulb, 'You have sent no feedback yet', 'What you send stands here, with what becomes of it.']
      : [
          Lightbulb,
          'Nobody has said anything yet',
          'A wish, a fault, a word of praise: the first one is yours.',
        ];
  return (
    <EmptyState icon={icon} title={title} text={text} action={!isNarrowed && <GiveFeedback here={here} />} />
  );
}

const SORTS = [
  { sort: 'votes', label: 'Most wanted' },
  { sort: 'newest', label: 'Newest' },
  { sort: 'own', label: 'Yours' },
] as const;

const CHOICES = [
  choiceOf('type', 'Type', 'All types', optionsOf(FEEDBACK_TYPES)),
  choiceOf('status', 'Status', 'All statuses', optionsOf(FEEDBACK_STATUSES)),
];

const PER_PAGE = 25;
const NAMES = ['sort', 'type', 'status', 'q'] as const;

const chosenOf = ({ sort, type, status, q }: BoardQuery): Chosen => ({
  sort,
  type: type ?? '',
  status: status ?? '',
  q: q ?? '',
});

async function findOpened(db: Db, actor: Actor, id: string | null): Promise<BoardEntry | undefined> {
  if (!id) return undefined;
  try {
    return await findFeedback(db, actor, id);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function loadBoard(actor: Actor, query: URLSearchParams) {
  const filter = parseListQuery(BoardQuery, query, NAMES);
  const isValidCursor = filter.sort === 'votes' ? isCountedCursor : isCursor;
  const cursor = query.get('cursor') ?? '';
  const isLater = isValidCursor(cursor);
  const [{ rows, nextCursor }, opened] = await Promise.all([
    listBoard(db(), actor, { ...filter, limit: PER_PAGE, cursor: isLater ? cursor : undefined }),
    findOpened(db(), actor, query.get('open')),
  ]);
  const chosen = chosenOf(filter);
  return {
    entries: rows.map((row) => presentFeedback(row, actor)),
    opened: opened ? presentFeedback(opened, actor) : null,
    chosen,
    isNarrowed: [chosen.type, chosen.status, chosen.q].some(Boolean),
    here: boardAddress(chosen, isLater ? cursor : undefined),
    first: isLater ? boardAddress(chosen) : null,
    next: nextCursor && boardAddress(chosen, nextCursor),
  };
}
