import type { MailText } from '#app/domain/email/content.ts';
import { DELIVERY_DAYS } from '#app/domain/webhooks/limits.ts';

export type WebhookMails = {
  webhookAdded: { name: string; address: string; events: string[]; url: string };
  /** `last`: the outcome of the last call, as a sentence. */
  webhookDisabled: { name: string; address: string; days: number; since: string; last: string; url: string };
};

export const webhookTemplates: { [K in keyof WebhookMails]: (data: WebhookMails[K]) => MailText } = {
  webhookAdded: ({ name, address, events, url }) => ({
    subject: 'A webhook was added to your account',
    lines: [
      `Hello ${name},`,
      'From now on this address is told what happens in your account:',
      { facts: Object.entries({ Address: address, 'It is told of': events.join(', ') }) },
      'If that was not you, change your password, which ends all sessions and tokens, and remove the webhook by a call of the API, or write to us.',
    ],
    button: { label: 'See the calls of webhooks', url },
  }),
  webhookDisabled: ({ name, address, days, since, last, url }) => ({
    subject: 'A webhook of yours was disabled',
    lines: [
      `Hello ${name},`,
      `For ${days} days every call to this address of yours has failed, so we call it no more:`,
      { facts: Object.entries({ Address: address, 'Failing since': since, 'The last call': last }) },
      `What it was not told can be read for ${DELIVERY_DAYS} days. When your server takes calls again, enable the webhook by a call of the API; then each of them can be sent again.`,
    ],
    button: { label: 'See the calls of webhooks', url },
  }),
};
