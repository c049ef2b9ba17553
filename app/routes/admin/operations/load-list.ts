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
import { capitalised, formatCount } from '#app/ui/text.ts';
import { ageOf } from './present.ts';

const PAGE = 50;
const DAYS = 30;

/** Kinds of mail are not listed: they are shown by their own names. */
const LABELS: Record<string, string> = {
  waits: 'Waits',
  taken: 'A worker has it',
  tries_later: 'Waits for another try',
  by_hand: 'Sent by hand',
  attempt: 'Waits to be confirmed',
  resend: 'The resend is open, too',
  asked: 'Its owner is asked',
};

/** "paymentToVerify" becomes "Payment to verify". */
const kindLabel = (kind: string) =>
  capitalised(kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

const STATES = { running: 'Running', waiting: 'Waiting', later: 'Waits for its instant' } as const;
const STATE_NAMES = ['running', 'waiting', 'later'] as const;

export type Row = { key: string; cells: string[] };
type ListTable = { headings: string[]; rows: Row[]; next: string | null };

/** Formats times in the zone of the admin; `since` adds how long ago. */
type Clock = { now: Date; format: (at: Date) => string; since: (at: Date) => string };

const LISTS = { due: listDue, unknown: listUnknown, unconfirmed: listUnconfirmed, mails: listUnsentMails };

async function loadWaiting(
  db: Db,
  list: keyof typeof LISTS,
  query: URLSearchParams,
  clock: Clock,
): Promise<ListTable> {
  const cursor = query.get('cursor') || undefined;
  const { rows, nextCursor } = await LISTS[list](db, { limit: PAGE, cursor });
  const nameOf = ({ name, email }: Waits) => [name, email].filter(Boolean).join(', ') || 'Nobody any more';
  return {
    headings: ['Since', 'Whose', 'How it stands'],
    rows: rows.map((row) => ({
      key: row.id,
      cells: [clock.since(row.at), nameOf(row), LABELS[row.what] ?? kindLabel(row.what)],
    })),
    next: nextCursor && `${listAddress(list)}&cursor=${nextCursor}`,
  };
}

async function loadJobs(db: Db, query: URLSearchParams, clock: Clock) {
  const lane = LANES.find((name) => name === query.get('lane')) ?? 'publishing';
  const state = STATE_NAMES.find((name) => name === query.get('state'));
  const after = query.get('after') ?? undefined;
  const { rows, next } = await listJobs(db, { lane, state }, PAGE, after, clock.now);
  return {
    lane,
    state: state ? STATES[state] : null,
    headings: ['Job', 'State', 'From', 'Tries'],
    rows: rows.map(({ id, task, at, state, attempts, maxAttempts }) => ({
      key: id,
      cells: [`${task} (${id})`, STATES[state], clock.format(at), `${attempts} of ${maxAttempts}`],
    })),
    next: next && `${listAddress('jobs')}&lane=${lane}${state ? `&state=${state}` : ''}&after=${next}`,
  };
}

async function loadLinkedInDays(db: Db, now: Date): Promise<ListTable> {
  const rows = (await listLinkedInDays(db, DAYS, now)).map(({ day, posts, other, limitAt }) => ({
    key: day,
    cells: [
      nameDay(day, now.toISOString().slice(0, 10)),
      formatCount(posts),
      formatCount(other),
      limitAt === null ? 'Not reached' : `At ${formatCount(limitAt)} posts`,
    ],
  }));
  return { headings: ['Day (UTC)', 'Posts asked for', 'Other calls', 'Limit'], rows, next: null };
}

async function loadDeadJobs(db: Db, query: URLSearchParams, clock: Clock) {
  const jobs = await listDeadJobs(db, PAGE + 1, query.get('before') ?? undefined);
  const jobId = query.get('discard');
  const discarding = jobId ? await findDeadJob(db, jobId) : undefined;
  const dead = jobs.slice(0, PAGE).map(({ id, task, key, attempts, failedAt, error }) => ({
    id,
    task,
    about: key,
    tries: `${attempts} tries`,
    failedAt: clock.since(failedAt),
    error: error ?? 'No word of why',
  }));
  const next = jobs.length > PAGE ? `${listAddress('dead')}&before=${dead.at(-1)!.id}` : null;
  return { dead, next, discarding: discarding ? { id: discarding.id, task: discarding.task } : null };
}

export async function loadOperationsList(db: Db, query: URLSearchParams, timeZone: string, now: Date) {
  const list: OperationList = OPERATION_LISTS.find((name) => name === query.get('of')) ?? 'due';
  const format = (at: Date) => formatMinute(at, timeZone);
  const clock: Clock = { now, format, since: (at) => `${format(at)} (${ageOf(at, now)} ago)` };
  const isLaterPage = ['cursor', 'after', 'before'].some((name) => query.has(name));
  const first = isLaterPage ? listAddress(list) : null;
  const common = { list, first, lane: null, state: null, headings: [], rows: [], dead: [], discarding: null };
  if (list === 'dead') return { ...common, ...(await loadDeadJobs(db, query, clock)) };
  if (list === 'linkedin') return { ...common, ...(await loadLinkedInDays(db, now)) };
  if (list === 'jobs') return { ...common, ...(await loadJobs(db, query, clock)) };
  return { ...common, ...(await loadWaiting(db, list, query, clock)) };
}
