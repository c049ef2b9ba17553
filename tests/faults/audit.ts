import { commentaryOf } from '#app/integrations/linkedin/little-text.ts';
import { readPost } from '#tests/fixtures/posts.ts';
import type { startOutside } from '#tests/harness/outside/sandbox.ts';
import type { DuePost, Stage } from '#tests/harness/worker/stage.ts';

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** What became of a post: `waiting` is in the queue for later, `unconfirmed` was handed to its owner. */
type Fate = 'published' | 'failed' | 'unconfirmed' | 'waiting';
export type Expectation = {
  fate: Fate[];
  /** How often LinkedIn may have been called for one post, least and most. */
  calls: [number, number];
  /** Resends that a person has asked for, for each post. */
  byHand?: number;
  /** Calls for each post that our tables no longer know of: they are older than what LinkedIn has. */
  forgotten?: number;
};
export type Audit = { doubles: number; lost: number; unknown: number; broken: string[] };

type Call = { text: string; commentary: string; author: string; status: number | null; urn: string | null };
type Ledgers = Awaited<ReturnType<typeof readLedgers>>;
type Seen = Ledgers['posts'][number];

/**
 * Keeps a record of every attempt that is taken back or written over: what was sent stays as it was sent, and what
 * LinkedIn has said is final. Instants may change, because the clock of the tests does.
 */
export const WATCH_ATTEMPTS = `
  create table public.rewritten (post_id uuid, what text);
  grant all on public.rewritten to public;
  create function public.watch_attempts() returns trigger language plpgsql as $$
    declare told text[] := array['published', 'refused', 'not_accepted'];
      sent text[] := array['id', 'post_id', 'user_id', 'attempt', 'confirms_id', 'author_urn', 'body', 'image_urn',
        'alt_text', 'visibility', 'lease_token'];
      said text[] := array['state', 'http_status', 'network_urn', 'explanation'];
      kept text[] := sent || case when old.state = any(told) then said else '{}' end;
    begin
      if tg_op = 'DELETE' then
        insert into public.rewritten values (old.post_id, 'an attempt is deleted');
        return old;
      end if;
      insert into public.rewritten select old.post_id, 'an attempt has another ' || name from unnest(kept) name
        where to_jsonb(old) -> name is distinct from to_jsonb(new) -> name;
      return new;
    end $$;
  create trigger watch_attempts before update or delete on publish_attempts
    for each row execute function public.watch_attempts()`;

const WINDOW_MS = [30_000, 9 * 60_000] as const;

/** The three ledgers: our tables, what LinkedIn has received, the mails that are out. */
async function readLedgers(stage: Stage, outside: Outside, due: DuePost[]) {
  const { db } = stage;
  const ids = due.map(({ id }) => id);
  const ledger = (await outside.ledger()) as { attempts: Call[]; posts: Call[] };
  const owners = await db
    .selectFrom('users')
    .select('email')
    .where('id', 'in', db.selectFrom('posts').select('userId').where('id', 'in', ids))
    .execute();
  const boxes = await Promise.all(owners.map(({ email }) => outside.mails(email)));
  const arrived = boxes.flatMap(({ mails }) => mails);
  const rows = await Promise.all(ids.map((id) => readPost(db, id)));
  const attempts = await db
    .selectFrom('publishAttempts')
    .selectAll()
    .where('postId', 'in', ids)
    .orderBy('attempt')
    .execute();
  const mails = await db.selectFrom('mails').select(['id', 'dedupeKey', 'sentAt']).execute();
  const { rows: rewritten } = await stage.pool.query<{ post_id: string; what: string }>(
    'select * from public.rewritten',
  );
  return {
    arrived,
    mails,
    rewritten,
    locked: await stage.leftLocked(),
    posts: due.map(({ id, marker }) => ({
      marker,
      row: rows.find((row) => row.id === id)!,
      attempts: attempts.filter(({ postId }) => postId === id),
      calls: ledger.attempts.filter(({ text }) => text?.includes(marker)),
      live: ledger.posts.filter(({ text }) => text.includes(marker)),
    })),
  };
}

const fateOf = ({ row }: Seen): Fate => {
  if (row.status === 'published') return 'published';
  if (row.status === 'failed') return row.isUnconfirmed ? 'unconfirmed' : 'failed';
  return 'waiting';
};

/** One post, and no attempt anew where an earlier one may have reached LinkedIn. */
function* doublesOf({ live, calls, attempts }: Seen, { byHand = 0, forgotten = 0 }: Expectation) {
  if (live.length > 1) yield `${live.length} posts are live`;
  const lacking = calls.length - attempts.length;
  if (lacking > forgotten) yield `${calls.length} calls for ${attempts.length} attempts`;
  else if (lacking > 0 && attempts.length > byHand)
    yield `${attempts.length} attempts after ${lacking} that our tables forgot`;
  const isUncertain = (state: string) => ['sending', 'unknown', 'held', 'published'].includes(state);
  const anew = attempts.filter(
    ({ confirmsId }, at) => !confirmsId && attempts.slice(0, at).some(({ state }) => isUncertain(state)),
  );
  if (anew.length > byHand) yield `${anew.length} attempts anew after one that may have arrived`;
  for (const { confirmsId, startedAt } of attempts) {
    const first = attempts.find(({ id }) => id === confirmsId);
    const gap = first && startedAt.getTime() - first.startedAt.getTime();
    if (gap !== undefined && (gap < WINDOW_MS[0] || gap > WINDOW_MS[1]))
      yield `resent after ${gap / 1_000} s`;
  }
}

/** What we say of it is so. */
function* lossesOf(seen: Seen) {
  const { row, live } = seen;
  const fate = fateOf(seen);
  if (fate === 'published' && live.length === 0) yield 'published here, and not on LinkedIn';
  if (live.length > 0 && fate !== 'published' && fate !== 'unconfirmed')
    yield `on LinkedIn, and ${fate} here`;
  if (fate === 'published' && row.networkUrn && live[0] && row.networkUrn !== live[0].urn)
    yield 'published under the address of another post';
  if (fate === 'waiting' && !seen.row.dueAt) yield 'waits in no queue';
}

/** One post is settled: nothing of it is left under way, its owner knows, and what was sent is what stands here. */
function* leftOf(seen: Seen, { mails, rewritten }: Ledgers) {
  const { row, attempts, calls } = seen;
  const fate = fateOf(seen);
  if (attempts.some(({ resolvedAt }) => resolvedAt === null)) yield 'an attempt is left open';
  if (fate !== 'waiting' && row.dueAt) yield 'it is left in the queue';
  if (row.leaseUntil && row.leaseUntil > new Date()) yield 'a lease is left';
  const keys = [...attempts.map(({ id }) => id), `restore:${row.id}`].flatMap((id) => [
    `unconfirmed:${id}`,
    `failed:${id}`,
  ]);
  const told = mails.filter(({ dedupeKey }) => dedupeKey && keys.includes(dedupeKey)).length;
  const wanted = fate === 'failed' || fate === 'unconfirmed' ? 1 : 0;
  if (told < wanted) yield 'its owner was not told';
  if (told > Math.max(wanted, attempts.length - 1)) yield `its owner was told ${told} times`;
  const text = commentaryOf(row.content, row.hashtags);
  if (calls.some(({ commentary }) => commentary !== text)) yield 'another text was sent';
  if (calls.some(({ author }) => attempts[0] && author !== attempts[0].authorUrn))
    yield 'sent for another author';
  for (const { post_id, what } of rewritten) if (post_id === row.id) yield what;
}

function* unexpected(seen: Seen, { fate, calls: [least, most] }: Expectation) {
  const found = fateOf(seen);
  const states = seen.attempts.map(({ state }) => state).join(', ');
  if (!fate.includes(found)) yield `${found}, not ${fate.join(' or ')}; its attempts: ${states}`;
  const count = seen.calls.length;
  if (count < least || count > most) yield `${count} calls, not ${least} to ${most}`;
}

/** Compares the three ledgers; what is broken is told in sentences. */
export async function audit(
  stage: Stage,
  outside: Outside,
  due: DuePost[],
  expects: Expectation,
): Promise<Audit> {
  const ledgers = await readLedgers(stage, outside, due);
  const broken: string[] = [];
  const count = (sentences: (seen: Seen) => Iterable<string>) =>
    ledgers.posts.filter((seen) => {
      const found = [...sentences(seen)];
      broken.push(...found.map((sentence) => `${seen.marker} ${sentence}`));
      return found.length > 0;
    }).length;
  const doubles = count((seen) => doublesOf(seen, expects));
  const lost = count(lossesOf);
  count((seen) => leftOf(seen, ledgers));
  count((seen) => unexpected(seen, expects));
  if (ledgers.locked.length > 0) broken.push(`${ledgers.locked.length} jobs are left locked`);
  const isOut = (id: string) => ledgers.arrived.some(({ messageId }) => messageId.includes(id));
  const told = ledgers.mails.filter(({ dedupeKey }) => /^(unconfirmed|failed):/.test(dedupeKey ?? ''));
  const missing = told.filter(({ id, sentAt }) => sentAt !== null && !isOut(id));
  if (missing.length > 0) broken.push(`${missing.length} mails are called sent and have not arrived`);
  const unknown = ledgers.posts.filter((seen) => fateOf(seen) === 'unconfirmed').length;
  return { doubles, lost, unknown, broken };
}
