import { type Db, db, isDatabaseAway, readDb } from '#app/db/client.ts';
import { logger } from '#app/log.ts';

/** A copy ends a read for what the database does meanwhile. */
const IN_ITS_WAY = '40001';

const isOfTheCopy = (error: unknown) =>
  isDatabaseAway(error) || (error as { code?: string } | null)?.code === IN_ITS_WAY;

/**
 * What `read` reads of the copy of the database, or of the database itself where there is none or where it cannot be
 * reached, which is logged each time. `read` only reads.
 */
export async function readCopy<T>(read: (db: Db) => Promise<T>): Promise<T> {
  const copy = readDb();
  if (copy === db()) return read(copy);
  try {
    return await read(copy);
  } catch (err) {
    if (!isOfTheCopy(err)) throw err;
    logger().warn({ err }, 'the copy of the database does not answer: the database itself is read');
    return read(db());
  }
}
