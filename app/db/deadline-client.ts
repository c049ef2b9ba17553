import pg from 'pg';

/** Longer than any statement takes, and than a lock is waited for. */
const ANSWER_WITHIN_MS = 60_000;
const CONNECT_WITHIN_MS = 5_000;

type Run = (...query: unknown[]) => unknown;
type Inside = { connection: { stream: { destroy(error: Error): void } } };

/**
 * A connection that is given up when a query has no answer within a minute, or the server none within 5 s when it
 * is made: the server, or the way to it, is gone without a word, and whoever asked would wait for ever. `deadlineMs`
 * in its configuration is for tests.
 */
export class DeadlineClient extends pg.Client {
  constructor(config: pg.ClientConfig & { deadlineMs?: number } = {}) {
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
    super({ ...alive, connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config });
    const { deadlineMs = ANSWER_WITHIN_MS } = config;
    const run = super.query.bind(this) as Run;
    const ask: Run = (...query) => {
      const timer = setTimeout(() => {
        const { stream } = (this as unknown as Inside).connection;
        stream.destroy(new Error(`The database did not answer within ${deadlineMs / 1_000} s`));
      }, deadlineMs);
      const stop = () => clearTimeout(timer);
      const heard = query.at(-1);
      if (typeof heard === 'function') {
        query[query.length - 1] = (...told: unknown[]) => {
          stop();
          return heard(...told);
        };
      }
      const answer = run(...query);
      if (answer instanceof Promise) answer.then(stop, stop);
      else if (typeof heard !== 'function') stop();
      return answer;
    };
    this.query = ask as typeof this.query;
  }
}
