import { randomUUID } from 'node:crypto';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { requireEnabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import {
  isSealedBefore,
  open,
  type Resealed,
  randomToken,
  resealEach,
  seal,
} from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { webhookUrlProblem } from '#app/integrations/http/post-webhook.ts';
import { OLD_SECRET_HOURS, WEBHOOK_URL_MAX, WEBHOOKS_MAX } from './limits.ts';
import { TOO_LONG, type WebhookInput } from './schema.ts';

const HOUR_MS = 3_600_000;
const FULL = `You can have at most ${WEBHOOKS_MAX} webhooks. Remove one that you no longer use`;

const THERE = 'This address is a webhook of yours already';

/** What both secrets are sealed for: the one that signs becomes the one before as it is. */
const context = (id: string) => `webhook_endpoints.secret:${id}`;

const SHOWN = ['id', 'url', 'events', 'previousUntil', 'failingSince', 'disabledAt', 'createdAt'] as const;

export type Webhook = Awaited<ReturnType<typeof listWebhooks>>[number];

/** The addresses of the user's programs, the oldest first. */
export const listWebhooks = (db: Db, { userId }: Pick<Actor, 'userId'>) =>
  db
    .selectFrom('webhookEndpoints')
    .select(SHOWN)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

const noWebhook = () => notFound('This webhook');

export async function findWebhook(db: Db, { userId }: Pick<Actor, 'userId'>, id: string): Promise<Webhook> {
  const found = isId(id)
    ? await db
        .selectFrom('webhookEndpoints')
        .select(SHOWN)
        .where('id', '=', id)
        .where('userId', '=', userId)
        .executeTakeFirst()
    : undefined;
  if (!found) throw noWebhook();
  return found;
}

/** Whoever writes down what became of what it was told has this lock first, so that one does after the other. */
export const lockWebhook = (trx: Trx, id: string) =>
  trx
    .selectFrom('webhookEndpoints')
    .select('disabledAt')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

type Made = { webhook: Webhook; secret: string };

function newSecret(id: string) {
  const secret = `whsec_${randomToken()}`;
  return { secret, secretSealed: seal(secret, context(id)) };
}

/** Adds an address, and answers the secret that signs what it is told, which is shown this once. */
export async function createWebhook(
  db: Db,
  { userId }: Actor,
  { url: said, events }: WebhookInput,
  now = databaseNow(),
): Promise<Made> {
  const refusal = webhookUrlProblem(said);
  if (refusal) throw new Refusal(422, 'invalid', refusal, { field: 'url' });
  // As it is called: what a URL cannot hold is written as one writes it there.
  const url = new URL(said).href;
  if (url.length > WEBHOOK_URL_MAX) throw new Refusal(422, 'invalid', TOO_LONG, { field: 'url' });
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireEnabled(trx, userId);
    const known = await listWebhooks(trx, { userId });
    if (known.length >= WEBHOOKS_MAX) throw new Refusal(409, 'too_many_webhooks', FULL);
    if (known.some((each) => each.url === url)) throw new Refusal(409, 'webhook_exists', THERE);
    const id = randomUUID();
    const { secret, secretSealed } = newSecret(id);
    const webhook = await trx
      .insertInto('webhookEndpoints')
      .values({ id, userId, url, events, secretSealed, createdAt: now })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    const told = { address: url, events, url: `${env().APP_URL}/api/docs/webhooks` };
    await mailUser(trx, userId, 'webhookAdded', told, `webhook-added:${id}`);
    emitEvent('webhook_changed', { userId, webhookId: id, change: 'added' }, trx);
    return { webhook, secret };
  });
}

/** Removes an address, with all that it was told. */
export async function removeWebhook(db: Db, { userId }: Actor, id: string): Promise<void> {
  const { numDeletedRows } = isId(id)
    ? await db
        .deleteFrom('webhookEndpoints')
        .where('id', '=', id)
        .where('userId', '=', userId)
        .executeTakeFirstOrThrow()
    : { numDeletedRows: 0n };
  if (numDeletedRows === 0n) throw noWebhook();
  emitEvent('webhook_changed', { userId, webhookId: id, change: 'removed' }, db);
}

/** Gives an address another secret, which is shown this once. The one before signs as well for a day. */
export async function changeSecret(db: Db, actor: Actor, id: string, now = databaseNow()): Promise<Made> {
  const previousUntil = new Date(now.getTime() + OLD_SECRET_HOURS * HOUR_MS);
  return transact(db, async (trx) => {
    await findWebhook(trx, actor, id);
    const { secret, secretSealed } = newSecret(id);
    const webhook = await trx
      .updateTable('webhookEndpoints')
      .set(({ ref }) => ({ previousSealed: ref('secretSealed'), previousUntil, secretSealed }))
      .where('id', '=', id)
      .returning(SHOWN)
      .executeTakeFirst();
    if (!webhook) throw noWebhook();
    emitEvent('webhook_changed', { userId: actor.userId, webhookId: id, change: 'secret' }, trx);
    return { webhook, secret };
  });
}

/** Has a disabled address told again, of what happens from now on. One that is not disabled stays as it is. */
export async function enableWebhook(db: Db, actor: Actor, id: string): Promise<Webhook> {
  const found = await findWebhook(db, actor, id);
  if (!found.disabledAt) return found;
  const webhook = await db
    .updateTable('webhookEndpoints')
    .set({ disabledAt: null, failingSince: null })
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirst();
  if (!webhook) throw noWebhook();
  emitEvent('webhook_changed', { userId: actor.userId, webhookId: id, change: 'enabled' }, db);
  return webhook;
}

type Sealed = { id: string; secretSealed: string; previousSealed: string | null; previousUntil: Date | null };

/** The secrets that sign now, the newest first. */
export const secretsOf = ({ id, secretSealed, previousSealed, previousUntil }: Sealed, now: Date): string[] =>
  [secretSealed, previousUntil && previousUntil > now ? previousSealed : null].flatMap((sealed) =>
    sealed ? [open(sealed, context(id))] : [],
  );

/** Forgets the secrets that sign no more. */
export async function deleteOldSecrets(trx: Trx | Db, now: Date): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ previousSealed: null, previousUntil: null })
    .where('previousUntil', '<=', now)
    .execute();
}

/** Seals the secrets of webhooks anew with the key that writes. */
export async function resealWebhooks(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('webhookEndpoints')
    .select(['id', 'secretSealed', 'previousSealed'])
    .where(({ or, ref }) => or([isSealedBefore(ref('secretSealed')), isSealedBefore(ref('previousSealed'))]))
    .execute();
  return resealEach(
    rows,
    ({ id, secretSealed, previousSealed }) => {
      const anew = (sealed: string) => seal(open(sealed, context(id)), context(id));
      return { secretSealed: anew(secretSealed), previousSealed: previousSealed && anew(previousSealed) };
    },
    ({ id, secretSealed, previousSealed }, fresh) =>
      db
        .updateTable('webhookEndpoints')
        .set(fresh)
        .where('id', '=', id)
        .where('secretSealed', '=', secretSealed)
        .where('previousSealed', 'is not distinct from', previousSealed)
        .execute(),
  );
}
