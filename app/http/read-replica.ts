import { type Db, db, isDatabaseUnavailable, readDb } from '#app/db/client.ts';
import { logger } from '#app/log.ts';

/**
 * SQLSTATEs of errors that only the replica has: a recovery conflict, failed authentication, a missing database,
 * missing privileges, and tables or columns of a migration that it has not replayed yet.
 */
const REPLICA_ERRORS = /^(?:40001|28\w{3}|3D000|42501|42P01|42703)$/;

const isReplicaError = (error: unknown) =>
  isDatabaseUnavailable(error) || REPLICA_ERRORS.test((error as { code?: string } | null)?.code ?? '');

/** Runs a read on the replica. If there is none, or if the replica fails, reads from the primary. */
export async function readReplica<T>(read: (db: Db) => Promise<T>): Promise<T> {
  const replica = readDb();
  if (replica === db()) return read(replica);
  try {
    return await read(replica);
  } catch (err) {
    if (!isReplicaError(err)) throw err;
    logger().warn({ err }, 'the copy of the database does not answer: the database itself is read');
    return read(db());
  }
}
