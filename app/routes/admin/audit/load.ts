import type { Db } from '#app/db/client.ts';
import { listAuditAdmins, listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { localDays } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute, presentTime } from '#app/domain/platform/dates.ts';
import { lookUpPlace, presentPlace } from '#app/domain/platform/geoip.ts';
import { calendarDay } from '#app/domain/platform/input-schema.ts';
import { optionsOf } from '#app/ui/text.ts';
import { messagesOf } from './messages.ts';

const ACTIONS: Record<string, string> = {
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

/** With a part of the ID, so that entries of different deleted accounts can be told apart. */
const deletedAccount = (id: string | null) => `A deleted account${id ? ` (${id.slice(0, 8)})` : ''}`;

/** Shows an instant in the admin's time zone, and any other value as it is. */
function formatValue(value: unknown, timeZone: string): string {
  const text = String(value);
  const at = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : Number.NaN);
  // Free text can look like an instant without being one.
  return Number.isNaN(at.getTime()) ? text : formatMinute(at, timeZone);
}

type Entry = Awaited<ReturnType<typeof listAuditLog>>['entries'][number];

function payerMessages({ paymentId, payerName, payerEmail }: Entry): string[] {
  if (!paymentId) return [];
  return [payerName ? `Paid by ${payerName} (${payerEmail}).` : 'Paid by a deleted account.'];
}

function accountMessages({ action, subjectName, subjectEmail }: Entry): string[] {
  if (!/^(?:account|sessions)\./.test(action)) return [];
  return [subjectName ? `About ${subjectName} (${subjectEmail}).` : 'About a deleted account.'];
}

/** "203.0.113.0/24, Germany". */
const presentNetwork = (network: string | null) =>
  network ? [network, presentPlace(lookUpPlace(network))].filter(Boolean).join(', ') : '–';

function presentEntry(entry: Entry, timeZone: string) {
  const { id, action, detail, createdAt, adminId, adminName, adminEmail, network } = entry;
  return {
    id,
    action: ACTIONS[action] ?? action,
    admin: adminName ?? deletedAccount(adminId),
    email: adminEmail,
    network: presentNetwork(network),
    messages: [
      ...payerMessages(entry),
      ...accountMessages(entry),
      ...messagesOf({ action, detail, format: (value) => formatValue(value, timeZone) }),
    ],
    at: presentTime(createdAt, timeZone),
  };
}

const FILTERS = ['action', 'admin', 'q', 'from', 'to'] as const;
type Chosen = Record<(typeof FILTERS)[number], string>;

/** Postgres refuses a null byte, so a filter with one counts as empty. */
const filterValue = (value: string | null) => (value?.includes('\0') ? '' : (value ?? '').trim());

const chosenOf = (query: URLSearchParams) =>
  Object.fromEntries(FILTERS.map((name) => [name, filterValue(query.get(name))])) as Chosen;

function pageAddress(chosen: Chosen, before: string): string {
  const params = Object.entries({ ...chosen, before }).filter(([, value]) => value);
  return `?${new URLSearchParams(params)}`;
}

/** The day after it has to have four digits in its year, too. */
const isDay = (day: string) => calendarDay.safeParse(day).success && day < '9999';

const dayError = (day: string) =>
  day && !isDay(day) ? 'There is no such day. Please give it as 2026-11-24.' : undefined;

function errorsOf({ from, to }: Chosen): { from?: string; to?: string } | null {
  const errors = { from: dayError(from), to: dayError(to) };
  if (errors.from || errors.to) return errors;
  if (from && to && from > to) return { to: 'The last day is before the first one.' };
  return null;
}

const spanOf = ({ from, to }: Chosen, timeZone: string) => ({
  since: from ? localDays(from, 1, timeZone)[0]!.start : undefined,
  until: to ? localDays(to, 1, timeZone)[0]!.end : undefined,
});

export async function loadAudit(db: Db, { timeZone }: Actor, query: URLSearchParams) {
  const chosen = chosenOf(query);
  const errors = errorsOf(chosen);
  const { action, admin: adminId, q } = chosen;
  const filter = { before: query.get('before') || undefined, action, adminId, q };
  const [{ entries, next }, admins] = await Promise.all([
    errors ? { entries: [], next: null } : listAuditLog(db, { ...filter, ...spanOf(chosen, timeZone) }),
    listAuditAdmins(db),
  ]);
  return {
    chosen,
    errors,
    zone: `Days in ${timeZone.replaceAll('_', ' ')}`,
    rows: entries.map((entry) => presentEntry(entry, timeZone)),
    older: next && pageAddress(chosen, next),
    actions: optionsOf(ACTIONS),
    admins: admins.map(({ id, name }) => ({ value: id, label: name ?? deletedAccount(id) })),
  };
}
export type AuditPage = Awaited<ReturnType<typeof loadAudit>>;
