import type { ListedPost } from '#app/routes/posts/load.ts';
import { Time } from '#app/ui/time.tsx';

/** When a waiting post is published; nothing if another part of the card says so. */
export function PublishTime({ post }: { post: ListedPost }) {
  const { isManual, putOff, publishAt, timeLabel, afterTime, approval } = post;
  if (post.isNext) return <AfterPause putOff={putOff} />;
  if (putOff || isManual) return null;
  if (post.turn) return <LateTime {...post.turn} />;
  if (!publishAt) return <p className="font-medium text-ink-2">No slot yet: publish it by hand.</p>;
  return (
    <div>
      <p className="font-medium">
        {timeLabel} <Time iso={publishAt.iso} text={publishAt.text} className="tabular-nums" /> {afterTime}
      </p>
      {approval && <p className="text-sm text-ink-2">{approval.words}.</p>}
    </div>
  );
}

/** A late post waits for the user's other late posts that go first. */
const LateTime = ({ iso, at, isLateThen }: NonNullable<ListedPost['turn']>) => (
  <p className="font-medium">
    Waits its turn, so that late posts do not come all at once:{' '}
    {isLateThen ? (
      'it takes your next free time.'
    ) : (
      <>
        goes out about <Time iso={iso} text={at} className="tabular-nums" />
      </>
    )}
  </p>
);

const AfterPause = ({ putOff }: Pick<ListedPost, 'putOff'>) => (
  <p className="font-medium">Waits until publishing goes on.{putOff && ` Not before ${putOff.at}.`}</p>
);

/** `isPlanned`: something blocks the whole queue, so no time is promised. */
type PutOffProps = { post: ListedPost; isPlanned: boolean };

export function PutOff({ post, isPlanned }: PutOffProps) {
  const { putOff, isManual, isStopped, status } = post;
  if (!putOff) return null;
  const time = <Time iso={putOff.iso} text={putOff.at} className="font-medium tabular-nums" />;
  if (status === 'pending') return <>Not before {time}.</>;
  if (putOff.isLateThen) return <>It takes your next free time after {time}.</>;
  return (
    <>
      {!isManual && (isPlanned || isStopped) ? 'Not before' : 'Goes out at'} {time}.
    </>
  );
}
