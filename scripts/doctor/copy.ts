import { createDatabase, type Db } from '#app/db/client.ts';
import { lastDays } from '#app/domain/automation/slots.ts';
import { listPublishedByDay } from '#app/domain/operations/daily-figures.ts';
import { findHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { type Check, Fault } from './look.ts';

const MINUTE = 60_000;
/** The worker writes down each minute that it ticks. */
const BEHIND_MS = 3 * MINUTE;

/** Refuses what answers well and tells of another time, or of others. */
async function requireSame(copy: Db, db: Db): Promise<void> {
  const [there, here] = [await findHeartbeat(copy), await findHeartbeat(db)];
  if (there.server !== here.server || there.epoch !== here.epoch)
    throw new Fault('It is no copy of this database', 'Check DATABASE_READ_URL, and its replication.');
  if (!here.tickedAt || !there.tickedAt) return;
  const behindMs = here.tickedAt.getTime() - there.tickedAt.getTime();
  if (behindMs > BEHIND_MS)
    throw new Fault(`It is ${Math.round(behindMs / MINUTE)} minutes behind`, 'Look at its replication.');
}

async function look(db: Db, url: string): Promise<string> {
  const { db: copy } = createDatabase(url, 1);
  try {
    // What the desk shows: a role that may connect and no more reads none of it.
    for (const today of lastDays(1, 'UTC', new Date())) await listPublishedByDay(copy, today);
    await requireSame(copy, db);
    return `${new URL(url).host} answers`;
  } finally {
    await copy.destroy();
  }
}

/** The copy that the figures of the desk are read from, where one is named: without it the database answers, and nobody notices. */
export const copyChecks = (db: Db, url: string | undefined): Check[] =>
  url
    ? [
        {
          name: 'copy',
          cure: 'Check DATABASE_READ_URL, and that its role was there at the last `npm run migrate`.',
          look: () => look(db, url),
        },
      ]
    : [];
