/**
 * Preloaded into a worker that waits for a lock for as long as a test holds it, where others give up after two
 * seconds: on a busy machine many take longer to come there.
 */
import pg from 'pg';

const BRIEF = /^set local lock_timeout = \d+$/;
const { query } = pg.Client.prototype;

pg.Client.prototype.query = function (this: pg.Client, ...[asked, ...more]: unknown[]) {
  const isBrief = typeof asked === 'string' && BRIEF.test(asked);
  return Reflect.apply(query, this, [isBrief ? 'set local lock_timeout = 0' : asked, ...more]);
} as typeof query;
