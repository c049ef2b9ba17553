import type { Db } from '#app/db/client.ts';
import { resealApps } from './accounts/authenticator-app.ts';
import { resealMails } from './email/outbox.ts';
import { resealAnswers } from './kept-answers.ts';
import { resealConnections } from './linkedin/sealed-tokens.ts';
import type { Resealed } from './secrets.ts';
import { resealWebhooks } from './webhooks/endpoints.ts';

/**
 * Seals everything that is kept with the first of SECRET_KEYS, while the product runs with the same keys. What waits ten
 * minutes for its owner's yes is left.
 */
export async function rotateKeys(db: Db): Promise<Record<string, Resealed>> {
  return {
    'LinkedIn connections': await resealConnections(db),
    'authenticator apps': await resealApps(db),
    'mails that wait': await resealMails(db),
    'answers to programs': await resealAnswers(db),
    'secrets of webhooks': await resealWebhooks(db),
  };
}
