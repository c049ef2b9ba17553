import type { Db } from '#app/db/client.ts';
import { listAuditAdmins, listAuditLog } from '#app/domain/accounts/audit-log.ts';
import { localDays } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { calendarDay } from '#app/domain/platform/input-schema.ts';
import { optionsOf } from '#app/ui/options.ts';
import { ACTIONS, describeEntry, nameAdmin } from './present.ts';

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
    rows: entries.map((entry) => describeEntry(entry, timeZone)),
    older: next && addressOf(chosen, next),
    actions: optionsOf(ACTIONS),
    admins: admins.map((each) => ({ value: each.id, label: nameAdmin(each) })),
  };
}
export type AuditPage = Awaited<ReturnType<typeof loadAudit>>;
