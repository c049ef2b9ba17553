import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { makeCommunity } from './community.ts';
import type { Demo } from './make-demo.ts';
import { makeVisits } from './visits.ts';

/** Makes what is around the demo, and counts its days as a worker does each hour. Answers all whose posts went out. */
export async function makeSurroundings(db: Db, demo: Demo, now = new Date()): Promise<Actor[]> {
  const people = [demo.user, ...(await makeCommunity(db, demo, now))];
  const addresses = people.map(({ email }) => email);
  await makeVisits(db, addresses, now);
  await countDays(db, now);
  return people;
}
