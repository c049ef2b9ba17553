import { type Db, db, isDatabaseUnavailable, readDb } from '#app/db/client.ts';
import { logger } from '#app/log.ts';

/**
 * A copy ends a read for what the database does meanwhile; lets nobody in, or has no such database, as one wrongly
 * configured; may not be read; or lacks what a migration has just made.
 */
const OF_THE_COPY = /^(?:40001|28\w{3}|3D000|42501|42P01|42703)$/;

const isOfTheCopy = (error: unknown) =>
  isDatabaseUnavailable(error) || OF_THE_COPY.test((error as { code?: string } | null)?.code ?? '');

/**
 * What `read` reads of the copy of the database, or of the database itself where there is none or where it cannot be
 * read, which is logged each time. `read` only reads.
 */
export async function readReplica<T>(read: (db: Db) => Promise<T>): Promise<T> {
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
