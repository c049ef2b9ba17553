import type { WebhookTables } from './webhooks.ts';

export type ApiTables = WebhookTables & {
  idempotencyKeys: {
    /** A hash of caller, call and key. */
    name: string;
    /** Null for calls without an account. */
    userId: string | null;
    status: number;
    /** The response and a hash of the request's body, encrypted. */
    sealed: string;
    createdAt: Date;
  };
};
