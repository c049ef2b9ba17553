import type { WebhookTables } from './webhooks.ts';

/** What programs that call the API are kept, and what they are told. */
export type ApiTables = WebhookTables & {
  idempotencyKeys: {
    /** A hash of who called what with which key. */
    name: string;
    /** Null of who called without an account. */
    userId: string | null;
    status: number;
    /** The answer, and a hash of what was asked. */
    sealed: string;
    createdAt: Date;
  };
};
