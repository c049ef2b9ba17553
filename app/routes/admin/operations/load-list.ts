import type { Db } from '#app/db/client.ts';
import { listLinkedInDays } from '#app/domain/linkedin/daily-quota.ts';
import { findDeadJob, listDeadJobs } from '#app/domain/operations/dead-jobs.ts';
import {
  listDue,
  listJobs,
  listUnconfirmed,
  listUnknown,
  listUnsentMails,
  type Waits,
} from '#app/domain/operations/waiting-lists.ts';
import { formatMinute, nameDay } from '#app/domain/platform/dates.ts';
import { LANES } from '#app/domain/platform/jobs.ts';
import { listAddress, OPERATION_LISTS, type OperationList } from '#app/routes/admin/tabs.tsx';
import { ageOf } from './present.ts';

const PAGE = 50;
const DAYS = 30;

/** What there is to say of a row, by the word that the domain has for it. A kind of mail says itself. */
const WHAT: Record<string, string> = {
  waits: 'Waits',
  taken: 'A worker has it',
  tries_later: 'Waits for another try',
  by_hand: 'Sent by hand',
  attempt: 'Waits to be confirmed',
  resend: 'The resend is open, too',
  asked: 'Its owner is asked',
};
/** "paymentToVerify" is "Payment to verify". */
const inWords = (kind: string) =>
  kind
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

const STATES = { running: 'Running', waiting: 'Waiting', later: 'Waits for its instant' } as const;
const STATE_NAMES = ['running', 'waiting', 'later'] as const;

export type Line = { key: string; cells: string[] };
type ListTable = { heads: string[]; lines: Line[]; next: string | null };

const PEOPLE = { due: listDue, unknown: listUnknown, unconfirmed: listUnconfirmed, mails: listUnsentMails };

async function peopleOf(
  db: Db,
  list: keyof typeof PEOPLE,
  query: URLSearchParams,
  say: Say,
): Promise<ListTable> {
  const cursor = query.get('cursor') || undefined;
  const { rows, nextCursor } = await PEOPLE[list](db, { limit: PAGE, cursor });
  const nameOf = ({ name, email }: Waits) => [name, email].filter(Boolean).join(', ') || 'Nobody any more';
  return {
    heads: ['Since', 'Whose', 'How it stands'],
    lines: rows.map((row) => ({
      key: row.id,
      cells: [say.since(row.at), nameOf(row), WHAT[row.what] ?? inWords(row.what)],
    })),
    next: nextCursor && `${listAddress(list)}&cursor=${nextCursor}`,
  };
}

async function jobsOf(
  db: Db,
  query: URLSearchParams,
  say: Say,
): Promise<ListTable & { lane: string; state: string | null }> {
  const lane = LANES.find((each) => each === query.get('lane')) ?? 'publishing';
  const state = STATE_NAMES.find((each) => each === query.get('state'));
  const { rows, next } = await listJobs(db, { lane, state }, PAGE, query.get('after') ?? undefined, say.now);
  const lines = rows.map(({ id, task, at, state, attempts, maxAttempts }) => ({
    key: id,
    cells: [`${task} (${id})`, STATES[state], say.at(at), `${attempts} of ${maxAttempts}`],
  }));
  const here = `${listAddress('jobs')}&lane=${lane}${state ? `&state=${state}` : ''}`;
  const nextPage = next && `${here}&after=${next}`;
  return {
    lane,
    state: state ? STATES[state] : null,
    heads: ['Job', 'State', 'From', 'Tries'],
    lines,
    next: nextPage,
  };
}

async function daysOf(db: Db, now: Date): Promise<ListTable> {
  const full = (count: number) => count.toLocaleString('en');
  const lines = (await listLinkedInDays(db, DAYS, now)).map(({ day, posts, other, limitAt }) => ({
    key: day,
    cells: [
      nameDay(day, now.toISOString().slice(0, 10)),
      full(posts),
      full(other),
      limitAt === null ? 'Not reached' : `At ${full(limitAt)} posts`,
    ],
  }));
  return { heads: ['Day (UTC)', 'Posts asked for', 'Other calls', 'Limit'], lines, next: null };
}

async function deadOf(db: Db, query: URLSearchParams, say: Say) {
  const rows = await listDeadJobs(db, PAGE + 1, query.get('before') ?? undefined);
  const asked = query.get('discard');
  const discarding = asked ? await findDeadJob(db, asked) : undefined;
  const dead = rows.slice(0, PAGE).map(({ id, task, key, attempts, failedAt, error }) => ({
    id,
    task,
    about: key,
    tries: `${attempts} tries`,
    failed: say.since(failedAt),
    error: error ?? 'No word of why',
  }));
  const next = rows.length > PAGE ? `${listAddress('dead')}&before=${dead.at(-1)!.id}` : null;
  return { dead, next, discarding: discarding ? { id: discarding.id, task: discarding.task } : null };
}

type Say = { now: Date; at: (at: Date) => string; since: (at: Date) => string };

/** One of the lists behind the numbers of operations, a page of it. */
export async function loadOperationsList(db: Db, query: URLSearchParams, timeZone: string, now: Date) {
  const list: OperationList = OPERATION_LISTS.find((each) => each === query.get('of')) ?? 'due';
  const at = (instant: Date) => formatMinute(instant, timeZone);
  const say: Say = { now, at, since: (since) => `${at(since)} (${ageOf(since, now)} ago)` };
  const nothing = { list, lane: null, state: null, heads: [], lines: [], dead: [], discarding: null };
  const isLater = ['cursor', 'after', 'before'].some((name) => query.has(name));
  const later = isLater ? listAddress(list) : null;
  const common = { ...nothing, first: later };
  if (list === 'dead') return { ...common, ...(await deadOf(db, query, say)) };
  if (list === 'linkedin') return { ...common, ...(await daysOf(db, now)) };
  if (list === 'jobs') return { ...common, ...(await jobsOf(db, query, say)) };
  return { ...common, ...(await peopleOf(db, list, query, say)) };
}
