import { sql } from 'kysely';
import { type Db, type Trx, transactWithSavepoints } from '#app/db/client.ts';
import { Refusal } from './refusal.ts';
import { hashToken, isSealedBefore, open, type Resealed, resealEach, seal } from './secrets.ts';

/** How long a key returns the stored response; after that it can be used again. */
const KEY_LIFE_MS = 24 * 3_600_000;

/**
 * `network`: of a caller without an account. `call`: method and path. `body`: after validation. `isPatient`: waits for
 * a call with the same key to end; others are refused while one runs.
 */
export type KeyedCall = {
  userId: string | null;
  network: string;
  call: string;
  key: string;
  body: unknown;
  isPatient?: boolean;
};
export type StoredResponse = { status: number; text: string };

/** A retry may succeed after these, so they are not stored. */
const isStored = ({ status }: StoredResponse) => status < 500 && status !== 401 && status !== 429;

const nameOf = ({ userId, network, call, key }: KeyedCall) =>
  hashToken([userId ?? `from ${network}`, call, key].join('\n'));
const contextOf = (name: string) => `idempotency_keys ${name}`;

/**
 * Runs `handle` once for an idempotency key and returns its response, also to later calls within a day. `handle` runs in
 * the transaction that stores the response, so its effects and the response are committed together. Throws a Refusal
 * when the body differs from the first call's, or while the first call runs (unless `isPatient`). `handle` returns a
 * refusal as a response; what it throws is not stored.
 */
export async function runIdempotently(
  db: Db,
  request: KeyedCall,
  now: Date,
  handle: (trx: Trx) => Promise<StoredResponse>,
): Promise<StoredResponse & { isReplayed: boolean }> {
  const name = nameOf(request);
  const body = hashToken(JSON.stringify(request.body) ?? '');
  return transactWithSavepoints(db, async (trx) => {
    await lockKey(trx, name, request.isPatient);
    const stored = await findStored(trx, name, now);
    if (stored && stored.body !== body) throw bodyMismatch();
    if (stored) return { status: stored.status, text: stored.text, isReplayed: true };
    const response = await handle(trx);
    if (isStored(response))
      await storeResponse(trx, { name, userId: request.userId, body, createdAt: now }, response);
    return { ...response, isReplayed: false };
  });
}

async function lockKey(trx: Trx, name: string, isPatient = false): Promise<void> {
  const id = sql`hashtextextended(${contextOf(name)}, 0)`;
  if (isPatient) {
    await sql`select pg_advisory_xact_lock(${id})`.execute(trx);
    return;
  }
  const lock = sql<boolean>`pg_try_advisory_xact_lock(${id})`;
  const { isLocked } = await trx.selectNoFrom(lock.as('isLocked')).executeTakeFirstOrThrow();
  if (isLocked) return;
  const message = 'The call with this Idempotency-Key is still under way. Please ask again in a moment.';
  throw new Refusal(409, 'in_progress', message, { retryAfter: 1 });
}

/** The sealed part of a row: the response's text, and a hash of the request's body. */
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
    .where('createdAt', '>', new Date(now.getTime() - KEY_LIFE_MS))
    .executeTakeFirst();
  return row && { status: row.status, ...(JSON.parse(open(row.sealed, contextOf(name))) as Sealed) };
}

type StoredCall = { name: string; userId: string | null; body: string; createdAt: Date };

async function storeResponse(
  trx: Trx,
  { name, body, ...owner }: StoredCall,
  { status, text }: StoredResponse,
): Promise<void> {
  const row = { ...owner, status, sealed: seal(JSON.stringify({ body, text }), contextOf(name)) };
  await trx
    .insertInto('idempotencyKeys')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

const bodyMismatch = () =>
  new Refusal(
    422,
    'idempotency_mismatch',
    'This Idempotency-Key was used for a call that asked for something else',
  );

export async function deleteOldKeys(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEY_LIFE_MS);
  await db.deleteFrom('idempotencyKeys').where('createdAt', '<=', before).execute();
}

export async function resealIdempotencyKeys(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('idempotencyKeys')
    .select(['name', 'sealed'])
    .where(({ ref }) => isSealedBefore(ref('sealed')))
    .execute();
  return resealEach(
    rows,
    ({ name, sealed }) => seal(open(sealed, contextOf(name)), contextOf(name)),
    (row, sealed) =>
      db
        .updateTable('idempotencyKeys')
        .set({ sealed })
        .where('name', '=', row.name)
        .where('sealed', '=', row.sealed)
        .execute(),
  );
}
