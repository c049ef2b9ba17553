import pg from 'pg';

/** Longer than any statement takes, and than a lock is waited for. */
const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 5_000;

type Run = (...query: unknown[]) => unknown;

/**
 * A connection that is given up when a query has no answer within a minute, or the server none within 5 s when it
 * is made: the server, or the way to it, is gone without a word, and whoever asked would wait for ever. `query_timeout`
 * of pg ends the wait alone: the connection would go back to its pool and keep the next query waiting as well.
 * `deadlineMs` in its configuration is for tests.
 */
export class DeadlineClient extends pg.Client {
  constructor(config: pg.ClientConfig & { deadlineMs?: number } = {}) {
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
    super({ ...alive, connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config });
    const { deadlineMs = ANSWER_WITHIN_MS } = config;
    const run = super.query.bind(this) as Run;
    const ask: Run = (...query) => {
      let overdue: Error | undefined;
      const timer = setTimeout(() => {
        overdue = new Error(`The database did not answer within ${deadlineMs / 1_000} s`);
        // With a query under way this closes the socket, and pg ends the query with an error.
        void this.end();
      }, deadlineMs);
      const stop = () => clearTimeout(timer);
      const heard = query.at(-1);
      if (typeof heard === 'function') {
        query[query.length - 1] = (error: unknown, ...result: unknown[]) => {
          stop();
          return heard(error && (overdue ?? error), ...result);
        };
      }
      const answer = run(...query);
      if (answer instanceof Promise) {
        return answer.finally(stop).catch((error: unknown) => {
          throw overdue ?? error;
        });
      }
      if (typeof heard !== 'function') stop();
      return answer;
    };
    this.query = ask as typeof this.query;
  }
}
