/** Users who are connected to the sandbox, and posts that are due at one minute. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { spreadWithinMinute } from '#app/domain/publishing/eligibility/eligibility.ts';
import { addUsers } from './users.ts';

const LONGEST_MS = 60_000;
const MINUTE_MS = 60_000;
/** The parameters of a statement are limited. */
const BATCH = 1_000;
/** The beginning of the text of each post. */
export const MARKER = 'Due at once';

export type Member = { userId: string; token: string; authorUrn: string };
type Sent = { author: string | null; text: string | null; status: number | null; at: string };

export async function callSandbox(url: string, method: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${url}`);
  return response.json();
}

/** Adds users whose access tokens are valid at the sandbox. */
export async function addMembers(db: Db, sandbox: string, count: number): Promise<Member[]> {
  const members: Member[] = [];
  const waiting = (await addUsers(db, count)).values();
  const connect = async () => {
    for (const userId of waiting) members.push(await connectMember(db, sandbox, userId));
  };
  await Promise.all([connect(), connect(), connect(), connect()]);
  return members;
}

async function connectMember(db: Db, sandbox: string, userId: string): Promise<Member> {
  const email = `${userId}@members.example`;
  const { access_token: token, sub } = await callSandbox(`${sandbox}/api/token`, 'POST', { email });
  const sealed = sealTokens(userId, { accessToken: token, refreshToken: null });
  await db
    .updateTable('linkedinConnections')
    .set({ ...sealed, memberId: sub })
    .where('userId', '=', userId)
    .execute();
  return { userId, token, authorUrn: `urn:li:person:${sub}` };
}

/** The first full minute that is at least `restMs` away. */
export const nextMinute = (restMs = 5_000) =>
  new Date(Math.ceil((Date.now() + restMs) / MINUTE_MS) * MINUTE_MS);

/** Posts that are due before the full minute are not spread over it, so its tick finds all of them together. */
export const justBefore = (minute: Date) => new Date(minute.getTime() - 1);

/** Adds a post of each member, due at `dueAt`. Posts of the same day need different slot numbers. */
export async function schedule(db: Db, members: Member[], dueAt: Date, slotNumber = 1): Promise<void> {
  const slot = { slotDate: dueAt.toISOString().slice(0, 10), slotNumber, publishAt: dueAt };
  for (let from = 0; from < members.length; from += BATCH) {
    const batch = members.slice(from, from + BATCH);
    const posts = await db
      .insertInto('posts')
      .values(batch.map(({ userId }) => ({ userId, content: `${MARKER}, ${userId} ${slotNumber}`, ...slot })))
      .returning(['id as postId', 'userId'])
      .execute();
    await db
      .insertInto('postSchedules')
      .values(posts.map((post) => ({ ...post, dueAt })))
      .execute();
  }
}

/** Waits until every post that is due at `dueAt` is published, for at most a minute. */
export async function waitUntilPublished(db: Db, dueAt: Date): Promise<void> {
  const findRemaining = () =>
    db.selectFrom('postSchedules').select('postId').where('dueAt', '=', dueAt).limit(1).executeTakeFirst();
  await pause(Math.max(0, dueAt.getTime() - Date.now()));
  while ((await findRemaining()) && Date.now() < dueAt.getTime() + LONGEST_MS) await pause(250);
}

/** Milliseconds from the second of its user, within the minute, to the start of each attempt. */
export async function startDelays(db: Db, minute: Date): Promise<number[]> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from started_at - ${minute}::timestamptz - ${spreadWithinMinute('userId')})::float8 * 1000 as ms
    from publish_attempts`.execute(db);
  return rows.map(({ ms }) => ms);
}

/** Counts of the sandbox's ledger for these posts, and the delay of each accepted post in milliseconds. */
export async function ledgerResults(sandbox: string, dueAt: Date) {
  const ledger: { attempts: Sent[]; posts: Sent[] } = await callSandbox(`${sandbox}/api/ledger`, 'GET');
  const ours = ({ text }: Sent) => text?.startsWith(MARKER);
  const [attempts, accepted] = [ledger.attempts.filter(ours), ledger.posts.filter(ours)];
  const late = accepted.map(({ at }) => Date.parse(at) - dueAt.getTime());
  const authors = new Set(accepted.map(({ author }) => author));
  return { attempts: attempts.length, accepted: accepted.length, authors: authors.size, late };
}
