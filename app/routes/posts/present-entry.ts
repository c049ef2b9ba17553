import { slotKey } from '#app/domain/automation/slots.ts';
import { formatTime } from '#app/domain/platform/dates.ts';
import { POST_WORDS, type PostBadge } from '#app/domain/posts/limits.ts';
import { type PostView, presentPost } from '#app/domain/posts/present.ts';
import { openingOf } from '#app/domain/publishing/mails.ts';
import type { Entry } from '#app/domain/publishing/slots/agenda.ts';
import { presentSlot, type SlotContext, type SlotLabels } from '#app/routes/posts/queue/slot-labels.ts';
import { explainHold, type Hold } from './holds.ts';

export type EntryContext = SlotContext & {
  /** When unapproved posts move, by post id. */
  movesTo: Map<string, Date>;
};

export type EntryView = SlotLabels & {
  key: string;
  time: { iso: string; text: string };
  slot: string | null;
  isPast: boolean;
  post: ReturnType<typeof actionsOf> | null;
};

export function presentEntry(entry: Entry, context: EntryContext): EntryView {
  const { timeZone, now } = context;
  const time = { iso: entry.at.toISOString(), text: formatTime(entry.at, timeZone) };
  const shared = { time, slot: entry.slot && slotKey(entry.slot), isPast: entry.at <= now };
  if (entry.kind !== 'post')
    return { key: shared.slot!, ...shared, ...presentSlot(entry, context), post: null };
  const view = presentPost(entry.post, timeZone, now, {
    movesTo: context.movesTo.get(entry.post.id),
  });
  const hold = explainHold(view, context.account);
  return {
    key: view.id,
    ...shared,
    state: view.badge as PostBadge,
    title: openingOf(view.content),
    detail: (view.isTest ? 'Test, for your connections only · ' : '') + detailOf(view, hold),
    tone: toneOf(view, hold),
    post: actionsOf(view),
  };
}

function actionsOf(view: PostView) {
  const { id, content, revision, failure, url, canEdit, canMove, isWaiting, isConnected } = view;
  const page = isWaiting ? '/app/scheduled' : '/app/posts';
  const isEdited = canEdit && (isWaiting || failure?.cure.name === 'edit');
  const fix = failure && fixOf(failure, id, isConnected);
  const links = [
    fix && { ...fix, isMain: true },
    isEdited && { label: 'Edit', to: `${page}?edit=${id}#post-${id}`, isMain: false },
    canMove && { label: 'Move to…', to: `/app/scheduled?move=${id}`, isMain: false },
  ];
  const hook = content.slice(0, 40).trim();
  return { id, revision, content: hook, url, links: links.filter((link) => !!link) };
}

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

function toneOf({ badge, failure }: PostView, hold: Hold | null): SlotLabels['tone'] {
  if (failure && badge !== 'set_aside') return 'danger';
  return badge === 'pending' || hold ? 'warning' : 'quiet';
}

/** The text of a collapsed line in the queue: why the post is held, and its topic or what happens next. */
export function lineOf(view: PostView, hold: Hold | null) {
  const about = view.topicName ?? '';
  const isPlain = hold || view.failure || !view.isWaiting;
  return { detail: isPlain ? about : detailOf(view, null, about), held: hold && hold.text.split(/[:.]/)[0]! };
}

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
