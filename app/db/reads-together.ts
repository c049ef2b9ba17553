import { isDeepStrictEqual } from 'node:util';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { PreparingClient } from './preparing-client.ts';

/** One connection answers so many reads at most: what comes after a slow one waits for it. */
const MOST_TOGETHER = 16;
/** What waits for nobody's lock and changes nothing. */
const READ = /^\s*(?:select|with)\b(?!.*\b(?:insert|update|delete|merge|lock|add_jobs?)\b)/is;

type Asked = { text: string; values: unknown[]; resolve(result: never): void; reject(error: unknown): void };

type Client = pg.PoolClient & Pick<PreparingClient, 'readTogether'>;

/**
 * A pool for a process that answers pages: the reads of one moment, as the loaders of a page ask them side by side, go to
 * one connection in one message and are answered in one. Ten small questions then wake the server and this process once
 * and not ten times; what two of them ask is asked once. Everything else gets a connection of its own, and so does all that follows on it: the
 * reads of a transaction stay in it. Its connections have to be pipelined.
 */
export class ReadsTogether implements PostgresPool {
  readonly options: object;
  readonly #pool: pg.Pool;
  readonly #isRead = new Map<string, boolean>();
  #asked: Asked[] = [];
  /** What is asked in this moment, by its text. */
  #answers = new Map<string, { values: unknown[]; answer: Promise<never> }[]>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.options = pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    let own: Promise<pg.PoolClient> | undefined;
    const query = async (text: string, values: unknown[]) => {
      if (!own && this.#mayShare(text)) return this.#ask(text, values);
      own ??= this.#pool.connect();
      return (await own).query(text, values);
    };
    const release = (isBroken?: boolean) => {
      own?.then((client) => client.release(isBroken)).catch(() => {});
    };
    return { query, release } as unknown as PostgresPoolClient;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #mayShare(text: string): boolean {
    let isRead = this.#isRead.get(text);
    if (isRead === undefined) {
      isRead = READ.test(text);
      if (this.#isRead.size < 1_000) this.#isRead.set(text, isRead);
    }
    return isRead;
  }

  #ask(text: string, values: unknown[]): Promise<never> {
    const answers = this.#answers.get(text) ?? [];
    const known = answers.find((one) => isDeepStrictEqual(one.values, values));
    if (known) return known.answer;
    const answer = new Promise<never>((resolve, reject) => {
      // When all that is under way at this moment has come as far as it can.
      if (this.#asked.length === 0) process.nextTick(() => this.#send());
      this.#asked.push({ text, values, resolve, reject });
    });
    this.#answers.set(text, [...answers, { values, answer }]);
    return answer;
  }

  #send(): void {
    const asked = this.#asked;
    this.#asked = [];
    this.#answers.clear();
    for (let from = 0; from < asked.length; from += MOST_TOGETHER) {
      void this.#sendTogether(asked.slice(from, from + MOST_TOGETHER));
    }
  }

  async #sendTogether(asked: Asked[]): Promise<void> {
    let client: Client;
    try {
      client = (await this.#pool.connect()) as Client;
    } catch (error) {
      for (const { reject } of asked) reject(error);
      return;
    }
    const answers = client
      .readTogether(asked)
      .map((answer, at) => answer.then(asked[at]!.resolve as () => void, asked[at]!.reject));
    await Promise.all(answers);
    client.release();
  }
}
