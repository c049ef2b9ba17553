import type { Db } from '#app/db/client.ts';
import { resealApps } from '#app/domain/accounts/two-step/totp.ts';
import { resealMails } from '#app/domain/email/outbox.ts';
import { resealConnections } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { resealIdempotencyKeys } from '#app/domain/platform/idempotency-keys.ts';
import type { Resealed } from '#app/domain/platform/secrets.ts';
import { resealWebhooks } from '#app/domain/webhooks/endpoints.ts';

/** Encrypts all stored secrets with the first of SECRET_KEYS, except pending LinkedIn connections. */
export async function rotateKeys(db: Db): Promise<Record<string, Resealed>> {
  return {
    'LinkedIn connections': await resealConnections(db),
    'authenticator apps': await resealApps(db),
    'mails that wait': await resealMails(db),
    'answers to programs': await resealIdempotencyKeys(db),
    'secrets of webhooks': await resealWebhooks(db),
  };
}
