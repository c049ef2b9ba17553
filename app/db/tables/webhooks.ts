import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type WebhookEvent =
  | ('post.published' | 'post.failed' | 'post.needs_approval')
  | ('payment.verified' | 'linkedin.expired');

export type WebhookTables = {
  webhookEndpoints: {
    id: string;
    userId: string;
    url: string;
    events: WebhookEvent[];
    secretSealed: string;
    /** The previous secret, which also signs until `previousUntil`. */
    previousSealed: Nullable<string>;
    previousUntil: Nullable<Date>;
    /** The first failure since the last success. */
    failingSince: Nullable<Date>;
    disabledAt: Nullable<Date>;
    /** Leased by a worker. */
    leasedUntil: Nullable<Date>;
    createdAt: CreatedAt;
  };
  webhookDeliveries: {
    id: Generated<string>;
    endpointId: string;
    /** The same for all endpoints of the event. */
    eventId: string;
    type: WebhookEvent;
    /** The body exactly as sent. */
    body: string;
    attempts: Generated<number>;
    /** Exactly one is set: pending, delivered or failed. */
    nextAt: Nullable<Date>;
    deliveredAt: Nullable<Date>;
    givenUpAt: Nullable<Date>;
    lastAt: Nullable<Date>;
    lastStatus: Nullable<number>;
    lastAnswer: Nullable<string>;
    lastError: Nullable<string>;
    createdAt: Date;
  };
};
