import type pg from 'pg';
import { filled } from '#tests/http/routes-list.ts';

/** In which table the id in an address is, by a word of the address: the first that fits. */
const KINDS: [word: RegExp, table: string][] = [
  [/\/(?:users|ledgers)\//, 'users'],
  [/\/(?:payments|payment-screenshots?|verify-payment|reject-payment)\//, 'payments'],
  [/\/topics\//, 'topics'],
  [/\/voice\//, 'facts'],
  [/\/runs\//, 'generationRuns'],
  [/\/(?:support|tickets)\//, 'support_tickets'],
  [/\/feedback\//, 'feedback'],
  [/\/(?:sessions|tokens)\//, 'sessions'],
  [/\/webhooks\//, 'webhook_endpoints'],
  [/\/sign-ups\//, 'sign_ups'],
  [/./, 'posts'],
];

/** The id of one thing of each kind that is there, of the user who made theirs first. */
export async function thingsIn(pool: pg.Pool): Promise<Record<string, string>> {
  const things: Record<string, string> = {};
  for (const [, table] of KINDS) {
    const { rows } = await pool.query<{ id: string }>(
      `select id::text from ${table} order by created_at, id limit 1`,
    );
    if (rows[0]) things[table] = rows[0].id;
  }
  return things;
}

/** The address with something in it that is there. */
export function addressOf(path: string, things: Record<string, string>): string {
  const [, table] = KINDS.find(([word]) => word.test(path))!;
  return filled(path, { id: things[table]! });
}
