import pg from 'pg';

/** Longer than any statement takes, and longer than `lock_timeout`. */
const QUERY_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;

type Run = (...query: unknown[]) => unknown;

/**
 * A pg client that closes its connection when a query takes longer than a minute, or connecting longer than 5 s. When
 * a server or network fails silently, the caller would otherwise wait forever. pg's `query_timeout` is not enough: it
 * only rejects the query, so the connection goes back to the pool and blocks the next query as well.
 *
 * `config.deadlineMs` (milliseconds for each query) is for tests.
 */
export class DeadlineClient extends pg.Client {
  constructor(config: pg.ClientConfig & { deadlineMs?: number } = {}) {
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
    super({ ...alive, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config });
    const { deadlineMs = QUERY_TIMEOUT_MS } = config;
    const run = super.query.bind(this) as Run;
    const runWithDeadline: Run = (...query) => {
      let overdue: Error | undefined;
      const timer = setTimeout(() => {
        overdue = new Error(`The database did not answer within ${deadlineMs / 1_000} s`);
        // Closes the socket while a query is running, and pg rejects that query.
        void this.end();
      }, deadlineMs);
      const stop = () => clearTimeout(timer);
      const callback = query.at(-1);
      if (typeof callback === 'function') {
        query[query.length - 1] = (error: unknown, ...rest: unknown[]) => {
          stop();
          return callback(error && (overdue ?? error), ...rest);
        };
      }
      const result = run(...query);
      if (result instanceof Promise) {
        return result.finally(stop).catch((error: unknown) => {
          throw overdue ?? error;
        });
      }
      if (typeof callback !== 'function') stop();
      return result;
    };
    this.query = runWithDeadline as typeof this.query;
  }
}
