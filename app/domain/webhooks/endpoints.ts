import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { WebhookTables } from '#app/db/tables/webhooks.ts';
import { requireEnabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { findOrRefuse, isId } from '#app/domain/platform/paging.ts';
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
const TOO_MANY = `You can have at most ${WEBHOOKS_MAX} webhooks. Remove one that you no longer use`;

const EXISTS = 'This address is a webhook of yours already';

/** Both secrets have one context, because the current one becomes the previous one unchanged. */
const context = (id: string) => `webhook_endpoints.secret:${id}`;

const COLUMNS = ['id', 'url', 'events', 'previousUntil', 'failingSince', 'disabledAt', 'createdAt'] as const;

export type Webhook = Awaited<ReturnType<typeof listWebhooks>>[number];

export const listWebhooks = (db: Db, { userId }: Pick<Actor, 'userId'>) =>
  db
    .selectFrom('webhookEndpoints')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

const noWebhook = () => notFound('This webhook');

export async function findWebhook(db: Db, { userId }: Pick<Actor, 'userId'>, id: string): Promise<Webhook> {
  return findOrRefuse('This webhook', id, () =>
    db
      .selectFrom('webhookEndpoints')
      .select(COLUMNS)
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst(),
  );
}

export const lockWebhook = (trx: Trx, id: string) =>
  trx
    .selectFrom('webhookEndpoints')
    .select('disabledAt')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

type WebhookWithSecret = { webhook: Webhook; secret: string };

function newSecret(id: string) {
  const secret = `whsec_${randomToken()}`;
  return { secret, secretSealed: seal(secret, context(id)) };
}

/** Adds an endpoint; returns its secret, which is shown only once. */
export async function createWebhook(
  db: Db,
  { userId }: Actor,
  { url: input, events }: WebhookInput,
  now = databaseNow(),
): Promise<WebhookWithSecret> {
  const refusal = webhookUrlProblem(input);
  if (refusal) throw new Refusal(422, 'invalid', refusal, { field: 'url' });
  // Normalized, as it will be called.
  const url = new URL(input).href;
  if (url.length > WEBHOOK_URL_MAX) throw new Refusal(422, 'invalid', TOO_LONG, { field: 'url' });
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireEnabled(trx, userId);
    const existing = await listWebhooks(trx, { userId });
    if (existing.length >= WEBHOOKS_MAX) throw new Refusal(409, 'too_many_webhooks', TOO_MANY);
    if (existing.some((each) => each.url === url)) throw new Refusal(409, 'webhook_exists', EXISTS);
    const id = randomUUID();
    const { secret, secretSealed } = newSecret(id);
    const webhook = await trx
      .insertInto('webhookEndpoints')
      .values({ id, userId, url, events, secretSealed, createdAt: now })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    const data = { address: url, events, url: `${env().APP_URL}/api/docs/webhooks` };
    await mailUser(trx, userId, 'webhookAdded', data, `webhook-added:${id}`);
    emitEvent('webhook_changed', { userId, webhookId: id, change: 'added' }, trx);
    return { webhook, secret };
  });
}

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

/** Creates a new secret, which is shown only once. The previous one also signs for a day. */
export async function rotateSecret(
  db: Db,
  actor: Actor,
  id: string,
  now = databaseNow(),
): Promise<WebhookWithSecret> {
  const previousUntil = new Date(now.getTime() + OLD_SECRET_HOURS * HOUR_MS);
  return transact(db, async (trx) => {
    await findWebhook(trx, actor, id);
    const { secret, secretSealed } = newSecret(id);
    const webhook = await trx
      .updateTable('webhookEndpoints')
      .set(({ ref }) => ({ previousSealed: ref('secretSealed'), previousUntil, secretSealed }))
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst();
    if (!webhook) throw noWebhook();
    emitEvent('webhook_changed', { userId: actor.userId, webhookId: id, change: 'secret' }, trx);
    return { webhook, secret };
  });
}

export async function enableWebhook(db: Db, actor: Actor, id: string): Promise<Webhook> {
  const current = await findWebhook(db, actor, id);
  if (!current.disabledAt) return current;
  const webhook = await db
    .updateTable('webhookEndpoints')
    .set({ disabledAt: null, failingSince: null })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!webhook) throw noWebhook();
  emitEvent('webhook_changed', { userId: actor.userId, webhookId: id, change: 'enabled' }, db);
  return webhook;
}

type SealedSecrets = Pick<
  Selectable<WebhookTables['webhookEndpoints']>,
  'id' | 'secretSealed' | 'previousSealed' | 'previousUntil'
>;

export const secretsOf = (
  { id, secretSealed, previousSealed, previousUntil }: SealedSecrets,
  now: Date,
): string[] =>
  [secretSealed, previousUntil && previousUntil > now ? previousSealed : null].flatMap((sealed) =>
    sealed ? [open(sealed, context(id))] : [],
  );

export async function deleteOldSecrets(trx: Trx | Db, now: Date): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ previousSealed: null, previousUntil: null })
    .where('previousUntil', '<=', now)
    .execute();
}

export async function resealWebhooks(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('webhookEndpoints')
    .select(['id', 'secretSealed', 'previousSealed'])
    .where(({ or, ref }) => or([isSealedBefore(ref('secretSealed')), isSealedBefore(ref('previousSealed'))]))
    .execute();
  return resealEach(
    rows,
    ({ id, secretSealed, previousSealed }) => {
      const resealed = (sealed: string) => seal(open(sealed, context(id)), context(id));
      return {
        secretSealed: resealed(secretSealed),
        previousSealed: previousSealed && resealed(previousSealed),
      };
    },
    ({ id, secretSealed, previousSealed }, secrets) =>
      db
        .updateTable('webhookEndpoints')
        .set(secrets)
        .where('id', '=', id)
        .where('secretSealed', '=', secretSealed)
        .where('previousSealed', 'is not distinct from', previousSealed)
        .execute(),
  );
}
