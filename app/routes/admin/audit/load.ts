import type { Db } from '#app/db/client.ts';
import { listAuditAdmins, listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { localDays } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { lookUpPlace, presentPlace } from '#app/domain/platform/geoip.ts';
import { calendarDay } from '#app/domain/platform/input-schema.ts';
import { optionsOf } from '#app/ui/text.ts';
import { messagesOf } from './messages.ts';

/** What admins do that is written down, in words. */
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

/** Somebody whose account is gone: the log still says of two entries whether they are theirs. */
const nameGone = (id: string | null) => `A deleted account${id ? ` (${id.slice(0, 8)})` : ''}`;

const nameAdmin = ({ id, name }: Awaited<ReturnType<typeof listAuditAdmins>>[number]) => name ?? nameGone(id);

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

function accountOf({ action, subjectName, subjectEmail }: Entry): string[] {
  if (!isOfAccount(action)) return [];
  return [subjectName ? `About ${subjectName} (${subjectEmail}).` : 'About a deleted account.'];
}

/** "203.0.113.0/24, Germany". */
const whereOf = (network: string | null) =>
  network ? [network, presentPlace(lookUpPlace(network))].filter(Boolean).join(', ') : '–';

/** An entry as the table shows it, in the admin's time zone. */
function presentEntry(entry: Entry, timeZone: string) {
  const { id, action, detail, createdAt, adminId, adminName, adminEmail, network } = entry;
  const say = (value: unknown) => readable(value, timeZone);
  return {
    id,
    what: ACTIONS[action] ?? action,
    who: adminName ?? nameGone(adminId),
    email: adminEmail,
    where: whereOf(network),
    told: [...payerOf(entry), ...accountOf(entry), ...messagesOf({ action, detail, say })],
    at: { iso: createdAt.toISOString(), text: formatMinute(createdAt, timeZone) },
  };
}

const CHOICES = ['action', 'admin', 'q', 'from', 'to'] as const;
type Chosen = Record<(typeof CHOICES)[number], string>;

/** No row holds a null byte, and Postgres does not look for one: as if nothing had been chosen. */
const saidIn = (value: string | null) => (value?.includes('\0') ? '' : (value ?? '').trim());

const chosenOf = (query: URLSearchParams) =>
  Object.fromEntries(CHOICES.map((name) => [name, saidIn(query.get(name))])) as Chosen;

/** The address of the log's next page for what was chosen. */
function addressOf(chosen: Chosen, before: string): string {
  const said = Object.entries({ ...chosen, before }).filter(([, value]) => value);
  return `?${new URLSearchParams(said)}`;
}

/** The day after it is one as well: a year of five digits can't be counted with. */
const isDay = (day: string) => calendarDay.safeParse(day).success && day < '9999';

const wrongDay = (day: string) =>
  day && !isDay(day) ? 'There is no such day. Please give it as 2026-11-24.' : undefined;

/** What is wrong with the days that were chosen. */
function wrongWith({ from, to }: Chosen): { from?: string; to?: string } | null {
  const wrong = { from: wrongDay(from), to: wrongDay(to) };
  if (wrong.from || wrong.to) return wrong;
  if (from && to && from > to) return { to: 'The last day is before the first one.' };
  return null;
}

/** The whole days that were chosen, on the reader's clock. */
const spanOf = ({ from, to }: Chosen, timeZone: string) => ({
  since: from ? localDays(from, 1, timeZone)[0]!.start : undefined,
  until: to ? localDays(to, 1, timeZone)[0]!.end : undefined,
});

/** The log as its address asks for it. Nothing is listed for days that there are not. */
export async function loadAudit(db: Db, { timeZone }: Actor, query: URLSearchParams) {
  const chosen = chosenOf(query);
  const wrong = wrongWith(chosen);
  const { action, admin: adminId, q } = chosen;
  const asked = { before: query.get('before') || undefined, action, adminId, q };
  const [{ entries, next }, admins] = await Promise.all([
    wrong ? { entries: [], next: null } : listAuditLog(db, { ...asked, ...spanOf(chosen, timeZone) }),
    listAuditAdmins(db),
  ]);
  return {
    chosen,
    wrong,
    zone: `Days in ${timeZone.replaceAll('_', ' ')}`,
    rows: entries.map((entry) => presentEntry(entry, timeZone)),
    older: next && addressOf(chosen, next),
    actions: optionsOf(ACTIONS),
    admins: admins.map((each) => ({ value: each.id, label: nameAdmin(each) })),
  };
}
export type AuditPage = Awaited<ReturnType<typeof loadAudit>>;
