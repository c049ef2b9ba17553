import type { listAuditAdmins, listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { describePlace, placeOf } from '#app/domain/platform/geoip.ts';
import { tellEntry } from './messages.ts';

/** What admins do that is written down, in words. */
export const ACTIONS: Record<string, string> = {
  'account.disabled': 'Disabled an account',
  'account.enabled': 'Enabled an account',
  'plan.extended': 'Extended a plan',
  'sign_up.code_sent': 'Sent a code of verification again',
  'payment.verified': 'Verified a payment',
  'payment.verified_first': 'Verified a payment, as the first of two',
  'payment.taken_in': 'Took in a payment for a request that was over',
  'payment.rejected': 'Rejected a payment',
  'sessions.ended': 'Signed somebody out everywhere',
  'feedback.status_changed': 'Changed the status of feedback',
  'job.retried': 'Had a failed job begun again',
  'job.discarded': 'Gave up a failed job',
  'publishing.paused': 'Paused publishing',
  'publishing.resumed': 'Resumed publishing',
  'post.taken_off': 'Took a post off the start page',
  'post.put_back': 'Put a post back on the start page',
  'support.answered': 'Answered a support request',
  'support.noted': 'Left a note on a support request',
  'support.made_of_feedback': 'Made a support request of feedback',
  'support.reply_saved': 'Saved a reply for support',
  'support.reply_deleted': 'Deleted a saved reply',
  'support.status': 'Changed the status of a support request',
};

/** Somebody whose account is gone: the log still says of two entries whether they are theirs. */
const nameGone = (id: string | null) => `A deleted account${id ? ` (${id.slice(0, 8)})` : ''}`;

export const nameAdmin = ({ id, name }: Awaited<ReturnType<typeof listAuditAdmins>>[number]) =>
  name ?? nameGone(id);

/** An instant of the log's JSON as the admin's clock shows it; anything else as it stands. */
function readable(value: unknown, timeZone: string): string {
  const text = String(value);
  const at = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : Number.NaN);
  // An admin may have written something that looks like one.
  return Number.isNaN(at.getTime()) ? text : formatMinute(at, timeZone);
}

type Entry = Awaited<ReturnType<typeof listAuditLog>>['entries'][number];

function payerOf({ paymentId, payerName, payerEmail }: Entry): string[] {
  if (!paymentId) return [];
  return [payerName ? `Paid by ${payerName} (${payerEmail}).` : 'Paid by a deleted account.'];
}

const isOfAccount = (action: string) => /^(?:account|sessions)\./.test(action);

function accountOf({ action, personName, personEmail }: Entry): string[] {
  if (!isOfAccount(action)) return [];
  return [personName ? `About ${personName} (${personEmail}).` : 'About a deleted account.'];
}

/** "203.0.113.0/24, Germany". */
const whereOf = (network: string | null) =>
  network ? [network, describePlace(placeOf(network))].filter(Boolean).join(', ') : '–';

/** An entry as the table shows it, in the admin's time zone. */
export function describeEntry(entry: Entry, timeZone: string) {
  const { id, action, detail, createdAt, adminId, adminName, adminEmail, cameFrom } = entry;
  const say = (value: unknown) => readable(value, timeZone);
  return {
    id,
    what: ACTIONS[action] ?? action,
    who: adminName ?? nameGone(adminId),
    email: adminEmail,
    where: whereOf(cameFrom),
    told: [...payerOf(entry), ...accountOf(entry), ...tellEntry({ action, detail, say })],
    at: { iso: createdAt.toISOString(), text: formatMinute(createdAt, timeZone) },
  };
}
