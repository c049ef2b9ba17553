import { createDatabase } from '#app/db/client.ts';
import { lastDays, listPublishedByDay } from '#app/domain/day-numbers.ts';
import type { Check } from './look.ts';

async function look(url: string): Promise<string> {
  const { db } = createDatabase(url, 1);
  try {
    // What the desk shows: a role that may connect and no more reads none of it.
    for (const today of lastDays(1, 'UTC', new Date())) await listPublishedByDay(db, today);
    return `${new URL(url).host} answers`;
  } finally {
    await db.destroy();
  }
}

/** The copy that the figures of the desk are read from, where one is named: without it the database answers, and nobody notices. */
export const copyChecks = (url: string | undefined): Check[] =>
  url
    ? [
        {
          name: 'copy',
          cure: 'Check DATABASE_READ_URL, and that its role was there at the last `npm run migrate`.',
          look: () => look(url),
        },
      ]
    : [];
