import { slotKey } from '#app/domain/automation/slots.ts';
import { formatTime } from '#app/domain/platform/dates.ts';
import { POST_WORDS, type PostBadge } from '#app/domain/posts/limits.ts';
import { type PostView, presentPost } from '#app/domain/posts/present.ts';
import { openingOf } from '#app/domain/publishing/mails.ts';
import type { Entry } from '#app/domain/publishing/slots/agenda.ts';
import { type AroundSlots, type InWords, presentSlot } from '#app/routes/posts/queue/slot-labels.ts';
import { explainHold, type Hold } from './holds.ts';

/** What is known of the days that entries lie in, beside their posts. */
export type Around = AroundSlots & {
  /** When unapproved posts move, by their ids. */
  movesTo: Map<string, Date>;
};

/** A row of a day. */
export type EntryView = InWords & {
  key: string;
  time: { iso: string; text: string };
  slot: string | null;
  isPast: boolean;
  post: ReturnType<typeof actsOf> | null;
};

/** One row of a day, in words: what stands at its time, and what can be done about it. */
export function presentEntry(entry: Entry, around: Around): EntryView {
  const { timeZone, now } = around;
  const time = { iso: entry.at.toISOString(), text: formatTime(entry.at, timeZone) };
  const place = { time, slot: entry.slot && slotKey(entry.slot), isPast: entry.at <= now };
  if (entry.kind !== 'post') return { key: place.slot!, ...place, ...presentSlot(entry, around), post: null };
  const view = presentPost(entry.post, timeZone, now, {
    movesTo: around.movesTo.get(entry.post.id),
  });
  const hold = explainHold(view, around.standing);
  return {
    key: view.id,
    ...place,
    state: view.badge as PostBadge,
    title: openingOf(view.content),
    detail: (view.isTest ? 'Test, for your connections only · ' : '') + detailOf(view, hold),
    tone: toneOf(view, hold),
    post: actsOf(view),
  };
}

/** What the buttons of a row need of its post. */
function actsOf(view: PostView) {
  const { id, content, revision, failure, url, canEdit, canMove, isWaiting, isConnected } = view;
  const page = isWaiting ? '/app/scheduled' : '/app/posts';
  const isEdited = canEdit && (isWaiting || failure?.cure.name === 'edit');
  const mend = failure && fixOf(failure, id, isConnected);
  const links = [
    mend && { ...mend, isMain: true },
    isEdited && { label: 'Edit', to: `${page}?edit=${id}#post-${id}`, isMain: false },
    canMove && { label: 'Move to…', to: `/app/scheduled?move=${id}`, isMain: false },
  ];
  const hook = content.slice(0, 40).trim();
  return { id, revision, content: hook, url, links: links.filter((link) => !!link) };
}

/** Where what mends a failed post is done. */
function fixOf(
  { cure: { name, label } }: NonNullable<PostView['failure']>,
  id: string,
  isConnected: boolean,
) {
  if (name === 'edit') return null;
  if (name === 'connect') return { label: isConnected ? 'Connect again' : label, to: '/app/linkedin' };
  if (name === 'picture') return { label, to: `/app/posts?edit=${id}#post-${id}` };
  return { label, to: `/app/posts#post-${id}` };
}

const toneOf = ({ badge, failure }: PostView, hold: Hold | null) =>
  failure && badge !== 'set_aside'
    ? ('danger' as const)
    : badge === 'pending' || hold
      ? ('warning' as const)
      : ('quiet' as const);

/** What a line says of a post beside its state: whether it is held, and its topic or what becomes of it. */
export function lineOf(view: PostView, hold: Hold | null) {
  const about = view.topicName ?? '';
  const isPlain = hold || view.failure || !view.isWaiting;
  return { detail: isPlain ? about : detailOf(view, null, about), held: hold && hold.text.split(/[:.]/)[0]! };
}

/** Where the post stands, in one line. */
function detailOf(view: PostView, hold: Hold | null, otherwise?: string): string {
  const { status, badge, failure, posted, putOff, turn, approval, topicName } = view;
  const about = topicName ? ` · ${topicName}` : '';
  if (failure) return `${failure.reason} ${failure.isOnLinkedIn}`;
  if (status === 'published' && posted) return `Published ${posted.text}${about}`;
  if (hold) return hold.text;
  if (approval) return `${approval.words}${about}`;
  if (putOff) return `${putOff.why} Not before ${putOff.at}.`;
  if (turn && !turn.isLateThen) return `Waits its turn: goes out about ${turn.at}${about}`;
  if (view.isNext) return 'Waits until publishing goes on.';
  return otherwise ?? `${POST_WORDS[badge]}${about}`;
}
