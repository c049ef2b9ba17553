/** People who really publish to the sandbox, and posts that are due at one minute. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { spreadWithinMinute } from '#app/domain/publishing/eligibility/eligibility.ts';
import { addPeople } from './people.ts';

const LONGEST_MS = 60_000;
const MINUTE_MS = 60_000;
/** A statement has room for so many rows. */
const AT_ONCE = 1_000;
/** How the text of each of their posts begins. */
export const MARKER = 'Due at once';

export type Member = { userId: string; token: string; authorUrn: string };
type Sent = { author: string | null; text: string | null; status: number | null; at: string };

export async function call(url: string, method: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${url}`);
  return answer.json();
}

/** People whose connection to the sandbox really opens it. */
export async function addMembers(db: Db, sandbox: string, count: number): Promise<Member[]> {
  const members: Member[] = [];
  const waiting = (await addPeople(db, count)).values();
  const connect = async () => {
    for (const userId of waiting) members.push(await connected(db, sandbox, userId));
  };
  await Promise.all([connect(), connect(), connect(), connect()]);
  return members;
}

async function connected(db: Db, sandbox: string, userId: string): Promise<Member> {
  const email = `${userId}@members.example`;
  const { access_token: token, sub } = await call(`${sandbox}/api/token`, 'POST', { email });
  const sealed = sealTokens(userId, { accessToken: token, refreshToken: null });
  await db
    .updateTable('linkedinConnections')
    .set({ ...sealed, memberId: sub })
    .where('userId', '=', userId)
    .execute();
  return { userId, token, authorUrn: `urn:li:person:${sub}` };
}

/** The worker is at rest for at least this long before the minute begins. */
export const nextMinute = (restMs = 5_000) =>
  new Date(Math.ceil((Date.now() + restMs) / MINUTE_MS) * MINUTE_MS);

/** What is due then is not spread over the minute: its tick finds all of it at once. */
export const justBefore = (minute: Date) => new Date(minute.getTime() - 1);

/** One post of each member, due at `dueAt`; of one day each has a number. */
export async function schedule(db: Db, members: Member[], dueAt: Date, slotNumber = 1): Promise<void> {
  const slot = { slotDate: dueAt.toISOString().slice(0, 10), slotNumber, publishAt: dueAt };
  for (let from = 0; from < members.length; from += AT_ONCE) {
    const some = members.slice(from, from + AT_ONCE);
    const posts = await db
      .insertInto('posts')
      .values(some.map(({ userId }) => ({ userId, content: `${MARKER}, ${userId} ${slotNumber}`, ...slot })))
      .returning(['id as postId', 'userId'])
      .execute();
    await db
      .insertInto('postSchedules')
      .values(posts.map((post) => ({ ...post, dueAt })))
      .execute();
  }
}

/** Until every post that was due at `dueAt` is out, or a minute has passed. */
export async function untilPublished(db: Db, dueAt: Date): Promise<void> {
  const isAnyLeft = () =>
    db.selectFrom('postSchedules').select('postId').where('dueAt', '=', dueAt).limit(1).executeTakeFirst();
  await pause(Math.max(0, dueAt.getTime() - Date.now()));
  while ((await isAnyLeft()) && Date.now() < dueAt.getTime() + LONGEST_MS) await pause(250);
}

/** How long after the second of its user each attempt began, at a post that was due at a full minute. */
export async function begunAfterSecond(db: Db, minute: Date): Promise<number[]> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from started_at - ${minute}::timestamptz - ${spreadWithinMinute('userId')})::float8 * 1000 as ms
    from publish_attempts`.execute(db);
  return rows.map(({ ms }) => ms);
}

/** What the sandbox was asked and took of these posts, and how late it took each. */
export async function takenOf(sandbox: string, dueAt: Date) {
  const ledger: { attempts: Sent[]; posts: Sent[] } = await call(`${sandbox}/api/ledger`, 'GET');
  const ours = ({ text }: Sent) => text?.startsWith(MARKER);
  const [attempts, accepted] = [ledger.attempts.filter(ours), ledger.posts.filter(ours)];
  const late = accepted.map(({ at }) => Date.parse(at) - dueAt.getTime());
  const authors = new Set(accepted.map(({ author }) => author));
  return { attempts: attempts.length, accepted: accepted.length, authors: authors.size, late };
}
