import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type WebhookEvent =
  | ('post.published' | 'post.failed' | 'post.needs_approval')
  | ('payment.verified' | 'linkedin.expired');

/** The addresses of programs that are told what happens, and what each was told. */
export type WebhookTables = {
  webhookEndpoints: {
    id: string;
    userId: string;
    url: string;
    events: WebhookEvent[];
    secretSealed: string;
    /** The secret before, which signs as well until then. */
    previousSealed: Nullable<string>;
    previousUntil: Nullable<Date>;
    /** The first of the failures since it last took something. */
    failingSince: Nullable<Date>;
    disabledAt: Nullable<Date>;
    /** One worker posts to it until then. */
    leasedUntil: Nullable<Date>;
    createdAt: CreatedAt;
  };
  webhookDeliveries: {
    id: Generated<string>;
    endpointId: string;
    /** The same for all addresses that are told of it. */
    eventId: string;
    type: WebhookEvent;
    /** What is sent, to the letter. */
    body: string;
    attempts: Generated<number>;
    /** Of these three one is there: it waits, was taken, or is given up. */
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
