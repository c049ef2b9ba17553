import { z } from 'zod';
import { DELIVERY_DAYS, OLD_SECRET_HOURS, WEBHOOK_EVENT_NAMES } from '#app/domain/webhooks/limits.ts';
import { count, id, instant, Message, pageOf, type Says, text } from '#app/http/api-says.ts';
import { Payment } from './says-payments.ts';
import { LinkedIn, Post } from './says-posts.ts';

const Webhook = z
  .object({
    _id: id,
    url: text('https://hooks.example.com/tidepost'),
    events: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
    createdAt: instant,
    failingSince: instant.nullable().meta({ description: 'The first failure since it last took something' }),
    disabledAt: instant.nullable().meta({ description: 'It is told nothing any more since then' }),
    oldSecretUntil: instant.nullable().meta({ description: 'Until then the secret before signs as well' }),
  })
  .meta({ id: 'Webhook' });

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ id, type: z.literal(type), createdAt: instant, data });

const ofPost = z.object({ post: Post });
const Event = z
  .discriminatedUnion('type', [
    eventOf('post.published', ofPost),
    eventOf('post.failed', ofPost),
    eventOf('post.needs_approval', ofPost),
    eventOf('payment.verified', z.object({ payment: Payment })),
    eventOf('linkedin.expired', LinkedIn),
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
    answer: z.string().nullable().meta({ description: 'The beginning of the last answer' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer' }),
    event: Event,
  })
  .meta({ id: 'WebhookDelivery' });

const made = z.object({ webhook: Webhook, secret: text('whsec_5f1c…') });

export const SAYS = {
  webhooks: { does: 'Lists the webhooks', answers: z.object({ webhooks: z.array(Webhook) }) },
  create: {
    does: 'Adds an address that is told what happens; its secret is shown once',
    answers: made,
    status: 201,
    sends: { url: 'https://hooks.example.com/tidepost', events: WEBHOOK_EVENT_NAMES.slice(0, 2) },
  },
  remove: { does: 'Removes a webhook and what it was told', answers: Message },
  secret: {
    does: `Makes a new secret, which is shown once; for ${OLD_SECRET_HOURS} hours the one before signs as well`,
    answers: made,
    status: 201,
  },
  enable: {
    does: 'Has a disabled webhook told again, of what happens from now on',
    answers: z.object({ webhook: Webhook }),
  },
  deliveries: {
    does: `Lists what a webhook was told in the last ${DELIVERY_DAYS} days, newest first`,
    answers: pageOf('deliveries', Delivery).extend({ webhook: Webhook }),
  },
  resend: {
    does: 'Sends something again, with the same id',
    answers: z.object({ delivery: Delivery }),
    status: 202,
  },
} satisfies Record<string, Says>;
