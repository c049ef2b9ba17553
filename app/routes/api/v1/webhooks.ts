import { z } from 'zod';
import { PageQuery } from '#app/domain/platform/paging.ts';
import {
  type WebhookDelivery as DeliveryRow,
  listDeliveries,
  resendDelivery,
} from '#app/domain/webhooks/deliveries.ts';
import {
  createWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
  type Webhook as WebhookRow,
} from '#app/domain/webhooks/endpoints.ts';
import { DELIVERY_DAYS, OLD_SECRET_HOURS, WEBHOOK_EVENT_NAMES } from '#app/domain/webhooks/limits.ts';
import { WebhookInput } from '#app/domain/webhooks/schema.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, id, instant, iso, Message, pageOf, text } from '#app/http/api/schemas.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { LinkedInStatus } from './linkedin.ts';
import { Payment } from './payments.ts';
import { Post } from './posts.ts';

const Webhook = z
  .object({
    _id: id,
    url: text('https://hooks.example.com/tidepost'),
    events: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
    createdAt: instant,
    failingSince: instant
      .nullable()
      .meta({ description: 'The first failure since the last successful delivery' }),
    disabledAt: instant.nullable().meta({ description: 'Since then nothing is delivered' }),
    oldSecretUntil: instant.nullable().meta({ description: 'Until then the previous secret signs as well' }),
  })
  .meta({ id: 'Webhook' });
type Webhook = z.infer<typeof Webhook>;

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ id, type: z.literal(type), createdAt: instant, data });

const PostData = z.object({ post: Post });
const Event = z
  .discriminatedUnion('type', [
    eventOf('post.published', PostData),
    eventOf('post.failed', PostData),
    eventOf('post.needs_approval', PostData),
    eventOf('payment.verified', z.object({ payment: Payment })),
    eventOf('linkedin.expired', LinkedInStatus),
  ])
  .meta({ id: 'Event', description: 'What is posted to the address of a webhook' });

const Delivery = z
  .object({
    _id: id,
    eventId: id,
    type: z.enum(WEBHOOK_EVENT_NAMES),
    status: z.enum(['waiting', 'delivered', 'given_up']),
    attempts: count,
    createdAt: instant,
    lastAttemptAt: instant.nullable(),
    nextAttemptAt: instant.nullable(),
    deliveredAt: instant.nullable(),
    answerStatus: z.int().min(100).nullable(),
    answer: z.string().nullable().meta({ description: 'The beginning of the last response' }),
    error: z.string().nullable().meta({ description: 'Why there was no response' }),
    event: Event,
  })
  .meta({ id: 'WebhookDelivery' });
type Delivery = z.infer<typeof Delivery>;

const WebhookWithSecret = z.object({ webhook: Webhook, secret: text('whsec_5f1c…') });

const webhookShape = (webhook: WebhookRow): Webhook => ({
  _id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  createdAt: webhook.createdAt.toISOString(),
  failingSince: iso(webhook.failingSince),
  disabledAt: iso(webhook.disabledAt),
  oldSecretUntil: iso(webhook.previousUntil),
});

const statusOf = ({ deliveredAt, givenUpAt }: DeliveryRow): Delivery['status'] =>
  deliveredAt ? 'delivered' : givenUpAt ? 'given_up' : 'waiting';

const deliveryShape = (delivery: DeliveryRow): Delivery => ({
  _id: delivery.id,
  eventId: delivery.eventId,
  type: delivery.type,
  status: statusOf(delivery),
  attempts: delivery.attempts,
  createdAt: delivery.createdAt.toISOString(),
  lastAttemptAt: iso(delivery.lastAt),
  nextAttemptAt: iso(delivery.nextAt),
  deliveredAt: iso(delivery.deliveredAt),
  answerStatus: delivery.lastStatus,
  answer: delivery.lastAnswer,
  error: delivery.lastError,
  event: JSON.parse(delivery.body),
});

export const webhookCalls: Calls = {
  '/webhooks': {
    GET: endpoint({
      summary: 'Lists the webhooks',
      access: 'user',
      scope: 'write',
      response: z.object({ webhooks: z.array(Webhook) }),
      handle: async ({ db, actor }) => ({ webhooks: (await listWebhooks(db, actor)).map(webhookShape) }),
    }),
    POST: endpoint({
      summary: 'Adds an address to which events are posted; its secret is shown once',
      access: 'user',
      input: WebhookInput,
      example: { url: 'https://hooks.example.com/tidepost', events: WEBHOOK_EVENT_NAMES.slice(0, 2) },
      requiresRecentAuth: true,
      isIdempotent: true,
      status: 201,
      response: WebhookWithSecret,
      handle: async ({ db, actor, input }) => {
        const { webhook, secret } = await createWebhook(db, actor, input);
        return { webhook: webhookShape(webhook), secret };
      },
    }),
  },
  '/webhooks/:id': {
    DELETE: endpoint({
      summary: 'Removes a webhook and its deliveries',
      access: 'user',
      response: Message,
      handle: async ({ db, actor, params }) => {
        await removeWebhook(db, actor, params.id!);
        return { message: 'Webhook removed' };
      },
    }),
  },
  '/webhooks/:id/secret': {
    POST: endpoint({
      summary: `Creates a new secret, which is shown once; for ${OLD_SECRET_HOURS} hours the previous one signs as well`,
      access: 'user',
      requiresRecentAuth: true,
      isIdempotent: true,
      status: 201,
      response: WebhookWithSecret,
      handle: async ({ db, actor, params }) => {
        const { webhook, secret } = await rotateSecret(db, actor, params.id!);
        return { webhook: webhookShape(webhook), secret };
      },
    }),
  },
  '/webhooks/:id/enable': {
    POST: endpoint({
      summary: 'Enables a disabled webhook, for events from now on',
      access: 'user',
      response: z.object({ webhook: Webhook }),
      handle: async ({ db, actor, params }) => ({
        webhook: webhookShape(await enableWebhook(db, actor, params.id!)),
      }),
    }),
  },
  '/webhooks/:id/deliveries': {
    GET: endpoint({
      summary: `Lists the deliveries of a webhook in the last ${DELIVERY_DAYS} days, newest first`,
      access: 'user',
      scope: 'write',
      input: PageQuery,
      response: pageOf('deliveries', Delivery).extend({ webhook: Webhook }),
      handle: async ({ db, actor, params, input }) => {
        const { webhook, rows, nextCursor } = await listDeliveries(db, actor, params.id!, input);
        return { deliveries: rows.map(deliveryShape), nextCursor, webhook: webhookShape(webhook) };
      },
    }),
  },
  '/webhooks/:id/deliveries/:deliveryId/resend': {
    POST: endpoint({
      summary: 'Sends an event again, with the same id',
      access: 'user',
      isIdempotent: true,
      limit: ({ actor }) => limitAccount('resend', actor.userId),
      status: 202,
      response: z.object({ delivery: Delivery }),
      handle: async ({ db, actor, params }) => ({
        delivery: deliveryShape(await resendDelivery(db, actor, params.id!, params.deliveryId!)),
      }),
    }),
  },
};
