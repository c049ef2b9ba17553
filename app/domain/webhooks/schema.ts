import { z } from 'zod';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_URL_MAX } from './limits.ts';

const NO_URL = 'Please give the address that is to be called';
export const TOO_LONG = `An address can have at most ${WEBHOOK_URL_MAX.toLocaleString('en')} characters`;
const NO_EVENT = 'Please choose what it is to be told of';

/** The URL is checked further when the endpoint is added. */
export const WebhookInput = z.object({
  url: z.string({ error: NO_URL }).trim().min(1, NO_URL).max(WEBHOOK_URL_MAX, TOO_LONG),
  events: z
    .array(z.enum(WEBHOOK_EVENT_NAMES, { error: `Please choose among ${WEBHOOK_EVENT_NAMES.join(', ')}` }), {
      error: NO_EVENT,
    })
    .min(1, NO_EVENT)
    .transform((names) => WEBHOOK_EVENT_NAMES.filter((name) => names.includes(name))),
});
export type WebhookInput = z.output<typeof WebhookInput>;
