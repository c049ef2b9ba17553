import { ChevronUp } from 'lucide-react';
import { useFetcher } from 'react-router';
import { noteSwitch } from '#app/ui/form/failure/use-failure-message.ts';
import { voteAddress } from './paths.ts';
import type { ShownEntry } from './present.ts';

/** Is for something at once, and pressed again not any more. It is one button all the while, which keeps the focus. */
export function VoteButton({ entry, from }: { entry: ShownEntry; from: string }) {
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
      onSubmit={(event) => noteSwitch(event, { failure: 'Failed to count your vote' })}
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
