import { Lightbulb, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { actorOf } from '#app/http/session/session.ts';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { knowsDialogs } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { BoardFilters, BoardTabs } from './filters.tsx';
import { FeedbackForm } from './form.tsx';
import { loadBoard } from './load.ts';
import boardStyles from './page.css?url';
import { BOARD, dialogAt } from './paths.ts';
import type { ShownEntry } from './present.ts';
import { BoardLine, GoneEntry, OpenedEntry } from './row.tsx';
import { storeFeedback } from './save.ts';

export const meta: Route.MetaFunction = () => [
  { title: 'Feedback – Tidepost' },
  {
    name: 'description',
    content: 'What people wish for and stumble over in Tidepost: vote, or add what is missing.',
  },
];

export const shouldRevalidate = knowsDialogs('open', 'dialog');

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadBoard(actorOf(context), new URL(request.url).searchParams);

export const action = ({ context }: Route.ActionArgs) => storeFeedback({ context }, `${BOARD}?sort=own`);

/** As long as an address is shown its entries keep their places: none moves away under who votes for it. */
function useHeldOrder(entries: ShownEntry[], here: string): ShownEntry[] {
  const [held, hold] = useState({ here, ids: entries.map(({ id }) => id) });
  if (held.here !== here) hold({ here, ids: entries.map(({ id }) => id) });
  const placeOf = ({ id }: ShownEntry) =>
    (held.ids.indexOf(id) + held.ids.length + 1) % (held.ids.length + 1);
  return held.here === here ? entries.toSorted((one, other) => placeOf(one) - placeOf(other)) : entries;
}

export default function Feedback({ loaderData, actionData }: Route.ComponentProps) {
  const { chosen, isNarrowed, here, first, next } = loaderData;
  const [query] = useSearchParams();
  const entries = useHeldOrder(loaderData.entries, here);
  const asked = query.get('open');
  const opened = [...entries, loaderData.opened].find((entry) => entry?.id === asked);
  const isEmpty = entries.length === 0;
  return (
    <>
      <link rel="stylesheet" href={boardStyles} precedence="page" />
      <PageHeader
        title="Feedback"
        description="What people wish for and stumble over. Vote for what you want, too: the most wanted is looked at first."
        actions={<Give here={here} />}
      />
      <BoardTabs chosen={chosen} />
      {(!isEmpty || isNarrowed) && (
        <BoardFilters key={JSON.stringify(chosen)} chosen={chosen} isNarrowed={isNarrowed} />
      )}
      {isEmpty && <Empty isNarrowed={isNarrowed} isOwn={chosen.sort === 'own'} here={here} />}
      {!isEmpty && (
        <ul className="lines">
          {entries.map((entry) => (
            <BoardLine key={entry.id} entry={entry} here={here} />
          ))}
        </ul>
      )}
      <Pager first={first} firstLabel="Back to the beginning" next={next} nextLabel="More feedback" />
      {query.get('dialog') === 'feedback' && (
        <Dialog title="Give feedback" closeTo={here}>
          <FeedbackForm answered={actionData} />
        </Dialog>
      )}
      {asked && (opened ? <OpenedEntry entry={opened} here={here} /> : <GoneEntry here={here} />)}
    </>
  );
}

const Give = ({ here }: { here: string }) => (
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
  return <EmptyState icon={icon} title={title} text={text} action={!isNarrowed && <Give here={here} />} />;
}
