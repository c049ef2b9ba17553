import type { listAuditAdmins, listAuditLog } from '#app/domain/audit.ts';
import { formatMinute } from '#app/domain/dates.ts';

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
  'support.status': 'Changed the status of a support request',
};

/** Somebody whose account is gone: the log still says of two entries whether they are theirs. */
const nameGone = (id: string | null) => `A deleted account${id ? ` (${id.slice(0, 8)})` : ''}`;

export const nameAdmin = ({ id, name }: Awaited<ReturnType<typeof listAuditAdmins>>[number]) =>
  name ?? nameGone(id);

/** "transactionId" as people write it. */
function inWords(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bid$/, 'ID');
  return words[0]!.toUpperCase() + words.slice(1);
}

/** An instant of the log's JSON as the admin's clock shows it; anything else as it stands. */
function readable(value: unknown, timeZone: string): string {
  const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return isInstant ? formatMinute(new Date(value), timeZone) : String(value);
}

type Pair = [label: string, value: string];

function pairsOf(detail: Record<string, unknown>, timeZone: string): Pair[] {
  const { before, ...after } = detail;
  const pairs = (values: object, label: (key: string) => string) =>
    Object.entries(values).map(([key, value]): Pair => [label(key), readable(value, timeZone)]);
  const isChange = before !== null && typeof before === 'object';
  return [...pairs(after, inWords), ...(isChange ? pairs(before, (key) => `${inWords(key)} before`) : [])];
}

type Entry = Awaited<ReturnType<typeof listAuditLog>>['entries'][number];

function payerOf({ paymentId, payerName, payerEmail }: Entry): Pair[] {
  if (!paymentId) return [];
  return [['Payer', payerName ? `${payerName} (${payerEmail})` : 'A deleted account']];
}

const isOfAccount = (action: string) => /^(?:account|sessions)\./.test(action);

function accountOf({ action, personName, personEmail }: Entry): Pair[] {
  if (!isOfAccount(action)) return [];
  return [['Account', personName ? `${personName} (${personEmail})` : 'A deleted account']];
}

/** An entry as the table shows it, in the admin's time zone. */
export function describeEntry(entry: Entry, timeZone: string) {
  const { id, action, detail, createdAt, adminId, adminName, adminEmail } = entry;
  return {
    id,
    what: ACTIONS[action] ?? action,
    who: adminName ?? nameGone(adminId),
    email: adminEmail,
    detail: [...payerOf(entry), ...accountOf(entry), ...pairsOf(detail, timeZone)],
    at: { iso: createdAt.toISOString(), text: formatMinute(createdAt, timeZone) },
  };
}
