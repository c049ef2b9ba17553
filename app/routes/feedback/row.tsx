import { ChevronUp } from 'lucide-react';
import { Link, useFetcher } from 'react-router';
import { FEEDBACK_TYPES } from '#app/domain/feedback/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import { Dialog } from '#app/ui/components/dialog.tsx';
import { registerSwitch } from '#app/ui/form/failure/use-failure-message.ts';
import { FeedbackBadge } from '#app/ui/post/status-badges.tsx';
import { Time } from '#app/ui/time.tsx';
import { dialogAt, voteAddress } from './paths.ts';
import type { PresentedEntry } from './present.ts';

const Details = ({ type, status, isOwn, at }: PresentedEntry) => (
  <p className="line-about">
    <FeedbackBadge status={status} />
    <Badge>{FEEDBACK_TYPES[type]}</Badge>
    {isOwn && <Badge tone="brand">Yours</Badge>}
    <Time {...at} />
  </p>
);

type LineProps = { entry: PresentedEntry; here: string };

export const BoardLine = ({ entry, here }: LineProps) => (
  <li id={`feedback-${entry.id}`} tabIndex={-1} className="line board-line">
    <VoteButton entry={entry} from={here} />
    <div className="min-w-0">
      <h2 className="font-semibold">
        <Link
          to={dialogAt(here, `open=${entry.id}`)}
          preventScrollReset
          className="line-title block"
          dir="auto"
        >
          {entry.title}
        </Link>
      </h2>
      <p className="line-short text-ink-2" dir="auto">
        {entry.description}
      </p>
      <Details {...entry} />
    </div>
  </li>
);

export const OpenedEntry = ({ entry, here }: LineProps) => (
  <Dialog title={entry.title} closeTo={here}>
    <div className="mt-3 flex items-center gap-4">
      <VoteButton entry={entry} from={here} />
      <Details {...entry} />
    </div>
    <p className="line-text mt-4" dir="auto">
      {entry.description}
    </p>
    {entry.rating && <p className="mt-3 text-sm text-ink-3">{entry.rating}. Only you and we see that.</p>}
  </Dialog>
);

export const DeletedEntry = ({ here }: { here: string }) => (
  <Dialog title="This is not on the board" closeTo={here}>
    <p className="mt-3 text-ink-2">It was deleted with the account of its author, or we took it off.</p>
  </Dialog>
);

/** Shows the new state before the server has answered. One button for both states, so that it keeps the focus. */
function VoteButton({ entry, from }: { entry: PresentedEntry; from: string }) {
  const { id, title, upvotes, hasVoted } = entry;
  const fetcher = useFetcher({ key: `vote-${id}` });
  const wanted = fetcher.formData?.get('wanted');
  const isVoted = wanted ? wanted === 'up' : hasVoted;
  const count = upvotes + Number(isVoted) - Number(hasVoted);
  return (
    <fetcher.Form
      method="post"
      action={voteAddress(id)}
      preventScrollReset
      onSubmit={(event) => registerSwitch(event, { failure: 'Failed to count your vote' })}
    >
      <input type="hidden" name="from" value={from} />
      <button
        type="submit"
        name="wanted"
        value={isVoted ? 'back' : 'up'}
        aria-pressed={isVoted}
        className="vote"
      >
        <ChevronUp aria-hidden size={20} />
        {count.toLocaleString('en')}
        <span className="sr-only">
          {count === 1 ? 'vote' : 'votes'} for “{title}”
        </span>
      </button>
    </fetcher.Form>
  );
}
