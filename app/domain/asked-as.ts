import { type RawBuilder, sql } from 'kysely';
import { Refusal } from './refusal.ts';
import { hashToken } from './secrets.ts';

/** For so long the key of a program stands for one body; then it is free again. */
export const KEY_KEPT_MS = 24 * 3_600_000;

/** What a call with a key asked for, as its row keeps it: the key, and after a space a hash of the body. */
export const askedAs = (key: string, body: unknown): string => `${key} ${hashToken(JSON.stringify(body))}`;

/** The row was asked for with this key, whatever the body was. */
export const isAskedWith = (key: string): RawBuilder<boolean> =>
  sql<boolean>`starts_with(asked_as, ${`${key} `}::text)`;

export const otherBody = (): Refusal =>
  new Refusal(
    422,
    'idempotency_mismatch',
    'This Idempotency-Key was used for a call that asked for something else',
  );
