import { type Slot, slotKey } from '#app/domain/automation/slots.ts';
import type { PostBadge } from '#app/domain/posts/limits.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import type { Entry } from '#app/domain/publishing/slots/agenda.ts';
import { type AccountState, isAfterPlan } from '#app/routes/posts/holds.ts';

export type SlotContext = {
  timeZone: string;
  now: Date;
  account: AccountState;
  /** How many posts a day a plan had at an instant. */
  paidAt: (at: Date) => number;
  /** Slots for which a post is being written. */
  filling: Set<string>;
  /** Why no post was written for a slot, if that is known. */
  whyUnwritten: (slot: Slot) => string | null;
};

export type EntryState =
  | PostBadge
  | 'open'
  | 'filling'
  | 'taken'
  | 'empty'
  | 'before_plan'
  | 'written'
  | 'to_write';

export type SlotLabels = {
  state: EntryState;
  title: string;
  detail: string;
  tone: 'quiet' | 'warning' | 'danger';
};

const quiet = (state: EntryState, title: string, detail: string): SlotLabels => ({
  state,
  title,
  detail,
  tone: 'quiet',
});

export function presentSlot(entry: Exclude<Entry, { kind: 'post' }>, context: SlotContext): SlotLabels {
  if (entry.kind === 'taken') return presentTaken(entry.post, context);
  if (entry.kind === 'open') return presentOpen(entry.slot, context);
  const paid = context.paidAt(entry.at);
  if (paid === 0) return quiet('before_plan', 'Before your plan', 'Your plan had not begun.');
  if (entry.slot.number > paid)
    return quiet('before_plan', 'Before your upgrade', 'Your plan had fewer posts a day then.');
  const why = context.whyUnwritten(entry.slot);
  const detail = why ? `No post was ready: ${why}.` : 'No post was ready for this time.';
  return quiet('empty', 'Nothing went out', detail);
}

/** The post of this slot was published at another time, perhaps on another day. */
function presentTaken(post: Post, { timeZone, now }: SlotContext): SlotLabels {
  const { status, posted, putOff, isUnconfirmed } = presentPost(post, timeZone, now);
  if (posted) return quiet('taken', 'Sent at another time', `Published ${posted.text}.`);
  if (status !== 'publishing' && isUnconfirmed)
    return quiet('taken', 'Its post was sent by hand', 'LinkedIn has not confirmed whether it is out.');
  const waits = putOff ? `LinkedIn takes it from ${putOff.at} on.` : 'It has not gone out yet.';
  const how = status === 'publishing' ? 'It is on its way to LinkedIn.' : waits;
  return quiet('taken', 'Its post was sent by hand', how);
}

function presentOpen(slot: Slot, { filling, account }: SlotContext): SlotLabels {
  if (filling.has(slotKey(slot)))
    return quiet('filling', 'Writing…', 'A post for this time is being written.');
  if (isAfterPlan(account, slot.at))
    return quiet('before_plan', 'After your plan', 'Your plan ends before this time.');
  const waits = 'No post is planned for this time yet.';
  const detail = account.isEnabled ? waits : 'Automation is paused, so nothing fills it by itself.';
  return quiet('open', 'Open', detail);
}
