import { sql } from 'kysely';
import { type Db, type Trx, transactInParts } from '#app/db/client.ts';
import { Refusal } from './refusal.ts';
import { hashToken, isSealedBefore, open, type Resealed, resealEach, seal } from './secrets.ts';

/** For so long the key of a program stands for one answer; then it is free again. */
const KEY_KEPT_MS = 24 * 3_600_000;

/** `network`: where somebody without an account calls from. `call`: its method and path. `body`: as it was checked. */
export type KeyedCall = { userId: string | null; network: string; call: string; key: string; body: unknown };
/** `text`: the body of the answer. */
export type Answer = { status: number; text: string };

/** What may be another answer in a moment is not kept. */
const isStored = ({ status }: Answer) => status < 500 && status !== 401 && status !== 429;

const nameOf = ({ userId, network, call, key }: KeyedCall) =>
  hashToken([userId ?? `from ${network}`, call, key].join('\n'));
const contextOf = (name: string) => `idempotency_keys ${name}`;

/**
 * What a call with a key is answered. `handle` runs in the transaction that keeps its answer, so that what it did and what
 * was answered are there together or not at all. Who calls again within a day is answered what is kept, and refused when
 * they ask for something else or while the first call is under way. `handle` answers a refusal like any other answer; of
 * what it throws nothing is kept.
 */
export async function runIdempotently(
  db: Db,
  asked: KeyedCall,
  now: Date,
  handle: (trx: Trx) => Promise<Answer>,
): Promise<Answer & { isReplayed: boolean }> {
  const name = nameOf(asked);
  const body = hashToken(JSON.stringify(asked.body) ?? '');
  return transactInParts(db, async (trx) => {
    await requireFree(trx, name);
    const kept = await findStored(trx, name, now);
    if (kept && kept.body !== body) throw otherBody();
    if (kept) return { status: kept.status, text: kept.text, isReplayed: true };
    const answer = await handle(trx);
    if (isStored(answer))
      await storeResponse(trx, { name, userId: asked.userId, body, createdAt: now }, answer);
    return { ...answer, isReplayed: false };
  });
}

async function requireFree(trx: Trx, name: string): Promise<void> {
  const lock = sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${contextOf(name)}, 0))`;
  const { isFree } = await trx.selectNoFrom(lock.as('isFree')).executeTakeFirstOrThrow();
  if (isFree) return;
  const message = 'The call with this Idempotency-Key is still under way. Please ask again in a moment.';
  throw new Refusal(409, 'in_progress', message, { retryAfter: 1 });
}

/** What is sealed: the answer, and a hash of what was asked. */
type Sealed = { body: string; text: string };

async function findStored(
  trx: Trx,
  name: string,
  now: Date,
): Promise<(Sealed & { status: number }) | undefined> {
  const row = await trx
    .selectFrom('idempotencyKeys')
    .select(['status', 'sealed'])
    .where('name', '=', name)
    .where('createdAt', '>', new Date(now.getTime() - KEY_KEPT_MS))
    .executeTakeFirst();
  return row && { status: row.status, ...(JSON.parse(open(row.sealed, contextOf(name))) as Sealed) };
}

type StoredCall = { name: string; userId: string | null; body: string; createdAt: Date };

async function storeResponse(
  trx: Trx,
  { name, body, ...whose }: StoredCall,
  { status, text }: Answer,
): Promise<void> {
  const row = { ...whose, status, sealed: seal(JSON.stringify({ body, text }), contextOf(name)) };
  await trx
    .insertInto('idempotencyKeys')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

const otherBody = () =>
  new Refusal(
    422,
    'idempotency_mismatch',
    'This Idempotency-Key was used for a call that asked for something else',
  );

/** Forgets the answers whose keys are free again. */
export async function deleteOldKeys(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEY_KEPT_MS);
  await db.deleteFrom('idempotencyKeys').where('createdAt', '<=', before).execute();
}

/** Seals kept answers anew with the key that writes. */
export async function resealIdempotencyKeys(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('idempotencyKeys')
    .select(['name', 'sealed'])
    .where(({ ref }) => isSealedBefore(ref('sealed')))
    .execute();
  return resealEach(
    rows,
    ({ name, sealed }) => seal(open(sealed, contextOf(name)), contextOf(name)),
    ({ name, sealed: was }, sealed) =>
      db
        .updateTable('idempotencyKeys')
        .set({ sealed })
        .where('name', '=', name)
        .where('sealed', '=', was)
        .execute(),
  );
}
