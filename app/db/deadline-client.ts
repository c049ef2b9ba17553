import pg from 'pg';

/** Longer than any statement takes, and than a lock is waited for. */
const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 5_000;

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
    super({ ...alive, connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config });
    const { deadlineMs = ANSWER_WITHIN_MS } = config;
    const run = super.query.bind(this) as Run;
    const ask: Run = (...query) => {
      let overdue: Error | undefined;
      const timer = setTimeout(() => {
        overdue = new Error(`The database did not answer within ${deadlineMs / 1_000} s`);
        // Closes the socket while a query is running, and pg rejects that query.
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
