import { PageQuery } from '#app/domain/paging.ts';
import {
  changeSecret,
  createWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
} from '#app/domain/webhooks/endpoints.ts';
import { WebhookInput } from '#app/domain/webhooks/schema.ts';
import { listDeliveries, resendDelivery } from '#app/domain/webhooks/webhook-deliveries.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { limitAccount } from '#app/http/limit.ts';
import { SAYS } from './says-webhooks.ts';
import { deliveryShape, webhookShape } from './shapes-webhooks.ts';

/** A program that is told everything is made as a token is: by who has just given the password. */
const CONFIRMED = { isOnce: true, isConfirmed: true };

const handler = apiRoutes({
  '/webhooks': {
    GET: endpoint(
      'user',
      null,
      SAYS.webhooks,
      async ({ db, actor }) => ({ webhooks: (await listWebhooks(db, actor)).map(webhookShape) }),
      { isMore: true },
    ),
    POST: endpoint(
      'user',
      WebhookInput,
      SAYS.create,
      async ({ db, actor, input }) => {
        const { webhook, secret } = await createWebhook(db, actor, input);
        return { webhook: webhookShape(webhook), secret };
      },
      CONFIRMED,
    ),
  },
  '/webhooks/:id': {
    DELETE: endpoint('user', null, SAYS.remove, async ({ db, actor, params }) => {
      await removeWebhook(db, actor, params.id!);
      return { message: 'Webhook removed' };
    }),
  },
  '/webhooks/:id/secret': {
    POST: endpoint(
      'user',
      null,
      SAYS.secret,
      async ({ db, actor, params }) => {
        const { webhook, secret } = await changeSecret(db, actor, params.id!);
        return { webhook: webhookShape(webhook), secret };
      },
      CONFIRMED,
    ),
  },
  '/webhooks/:id/enable': {
    POST: endpoint('user', null, SAYS.enable, async ({ db, actor, params }) => ({
      webhook: webhookShape(await enableWebhook(db, actor, params.id!)),
    })),
  },
  '/webhooks/:id/deliveries': {
    GET: endpoint(
      'user',
      PageQuery,
      SAYS.deliveries,
      async ({ db, actor, params, input }) => {
        const { webhook, rows, nextCursor } = await listDeliveries(db, actor, params.id!, input);
        return { deliveries: rows.map(deliveryShape), nextCursor, webhook: webhookShape(webhook) };
      },
      { isMore: true },
    ),
  },
  '/webhooks/:id/deliveries/:deliveryId/resend': {
    POST: endpoint(
      'user',
      null,
      SAYS.resend,
      async ({ db, actor, params }) => ({
        delivery: deliveryShape(await resendDelivery(db, actor, params.id!, params.deliveryId!)),
      }),
      { isOnce: true, limit: ({ actor }) => limitAccount('resend', actor.userId) },
    ),
  },
});

export const loader = handler;
export const action = handler;
