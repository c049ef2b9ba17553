import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedMissed } from './load.ts';

const FOLD_AFTER = 5;

export function MissedCard({ missed }: { missed: PresentedMissed }) {
  const { asked, until, posts, hasMore } = missed;
  const isOne = posts.length === 1;
  const count = isOne ? '1 post' : `${hasMore ? 'More than ' : ''}${posts.length} posts`;
  return (
    <Card
      id="missed"
      title={`${count} missed ${isOne ? 'its' : 'their'} time before LinkedIn was connected`}
      description={`${isOne ? 'It does not go' : 'None of them goes'} out before you choose. Posts whose time is still to come go out as usual.`}
      className="mb-6"
    >
      <PostList posts={posts.slice(0, FOLD_AFTER)} />
      {posts.length > FOLD_AFTER && (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer rounded-sm py-3 text-sm font-medium text-ink-2">
            Show the other {posts.length - FOLD_AFTER}
          </summary>
          <PostList posts={posts.slice(FOLD_AFTER)} />
        </details>
      )}
      <ActionForm
        action="/app/linkedin/missed"
        failure="Failed to save your choice"
        fields={{ asked }}
        className="mt-5"
      >
        <Choices missed={missed} />
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
          <SubmitButton busyLabel="One moment…">Confirm</SubmitButton>
          <p className="min-w-0 flex-1 basis-60 text-sm text-ink-2">
            If you have not chosen by <Time {...until} />,{' '}
            {isOne ? 'it takes your next free time' : 'they take your next free times'} and you get a mail.
          </p>
        </div>
      </ActionForm>
    </Card>
  );
}

const PostList = ({ posts }: Pick<PresentedMissed, 'posts'>) => (
  <ul className="grid gap-2">
    {posts.map(({ id, opening, at }) => (
      <li key={id} className="border-s-2 border-line ps-3">
        <Time {...at} className="text-sm text-ink-3 tabular-nums" />
        <span className="block break-words">{opening}</span>
      </li>
    ))}
  </ul>
);

function choicesOf({ posts, hasMore, latestOutcome, hasPlan }: PresentedMissed) {
  const isOne = posts.length === 1;
  return [
    {
      value: 'slots',
      label: isOne ? 'Use the next free time' : 'Use the next free times',
      text: `${isOne ? 'It takes your next free publish time.' : 'Each takes your next free publish time, in order.'}${hasPlan ? '' : ' Without an active plan it is held there until you have one or publish it by hand.'}`,
    },
    {
      value: 'latest',
      label: isOne ? 'Post it now' : 'Post the latest now',
      text: isOne
        ? `It ${latestOutcome}.`
        : `${hasMore ? 'The latest one' : `“${posts.at(-1)!.opening}”`} ${latestOutcome}. The others take your next free times.`,
    },
    {
      value: 'discard',
      label: isOne ? 'Set it aside' : 'Set all aside',
      text: `Nothing is published. You’ll find ${isOne ? 'it' : 'them'} in Post History under Set aside, with all of the text, and can publish from there.`,
    },
  ];
}

const Choices = ({ missed }: { missed: PresentedMissed }) => (
  <fieldset>
    <legend className="field-label mb-2">
      {missed.posts.length === 1 ? 'What becomes of it?' : 'What becomes of them?'}
    </legend>
    <div className="grid gap-2 lg:grid-cols-3">
      {choicesOf(missed).map((tile, index) => (
        <RadioTile key={tile.value} name="choice" defaultChecked={index === 0} {...tile} />
      ))}
    </div>
  </fieldset>
);
