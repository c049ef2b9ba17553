import type pg from 'pg';
import { DeadlineClient } from './deadline-client.ts';
import { type Heard, type Named, PreparedRead, ReadBatch, type Told, type Waiting } from './prepared-read.ts';

/** Statements a connection keeps prepared, and texts that are counted before they are, at most. */
const MOST_PREPARED = 300;
const MOST_COUNTED = 1_000;
/** A text is prepared when it comes for the third time: one that a list of values made may never come again. */
const WORTH_IT = 3;

/** A result of all columns changes with the table, and a prepared statement whose result changes is an error. */
const PREPARABLE = /^\s*(?:select|with)\b(?!.*(?:\bselect|[.,"])\s*\*)/is;

const counts = new Map<string, number>();
/** Undefined for a text whose name was given up. */
const names = new Map<string, string | undefined>();

/** What Postgres says when a prepared statement no longer fits its tables: its result, or a value, has another type. */
const OUTGROWN = new Set(['0A000', '42883', '42804']);

/** The name to prepare a statement under, the same for all connections of the process; undefined to just run it. */
function nameOf(text: string): string | undefined {
  if (names.has(text)) return names.get(text);
  if (names.size >= MOST_PREPARED || !PREPARABLE.test(text)) return undefined;
  const count = (counts.get(text) ?? 0) + 1;
  if (count < WORTH_IT) {
    if (counts.size >= MOST_COUNTED) counts.clear();
    counts.set(text, count);
    return undefined;
  }
  counts.delete(text);
  names.set(text, `read_${names.size + 1}`);
  return names.get(text);
}

export type Asked = { text: string; values: unknown[] };
type Inside = { connection: { stream: { cork(): void; uncork(): void } } };
type Run = (query: pg.QueryConfig | unknown, values?: unknown, ...more: unknown[]) => Promise<pg.QueryResult>;

/** What pg can write for the server without a method of the value's own, which might throw in the middle of a batch. */
const isPlain = (value: unknown) =>
  typeof value !== 'object' || value === null || value instanceof Date || Array.isArray(value);

/**
 * A connection that prepares the reads it is asked for again and again: the server plans them once and not for
 * each request, which is half of its work for a page of many small reads. A statement that a migration has outgrown
 * loses its name for good and is run once more as it came; inside a transaction its error has ended that, and goes up.
 */
export class PreparingClient extends DeadlineClient {
  readonly #run: Run;
  readonly #told: Told = { columns: new Map(), types: this };

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.#run = this.query as Run;
    const prepare: Run = (query, values, ...more) => {
      if (typeof query !== 'string' || !Array.isArray(values) || more.length > 0) {
        return this.#run(query, values, ...more);
      }
      const name = nameOf(query);
      return name ? this.#read({ name, text: query, values }) : this.#run(query, values);
    };
    this.query = prepare as typeof this.query;
  }

  /** The answers to reads that are asked in one message; those that are prepared are answered in one as well. */
  readTogether(asked: Asked[]): Promise<pg.QueryResult>[] {
    const { stream } = (this as unknown as Inside).connection;
    const batch: Waiting[] = [];
    stream.cork();
    const answers = asked.map(({ text, values }) => {
      if (!values.every(isPlain)) return this.query(text, values);
      const name = nameOf(text);
      if (!name) return this.#run(text, values);
      const query = { name, text, values };
      return this.#outlive(query, (heard) =>
        batch.push({ read: new PreparedRead(query, this.#told), heard }),
      );
    });
    const ended = (_: null, notRun: Waiting[]) => this.#readOneByOne(notRun);
    if (batch.length > 0) void this.#run(new ReadBatch(batch), ended);
    stream.uncork();
    return answers;
  }

  #readOneByOne(waiting: Waiting[]): void {
    for (const { read, heard } of waiting) void this.#run(read, heard);
  }

  #read(query: Named): Promise<pg.QueryResult> {
    return this.#outlive(query, (heard) => void this.#run(new PreparedRead(query, this.#told), heard));
  }

  /** What a prepared read answers; runs it as it came when its tables have changed under it. */
  #outlive({ text, values }: Named, read: (heard: Heard) => void): Promise<pg.QueryResult> {
    const answer = new Promise<pg.QueryResult>((resolve, reject) => {
      read((error, result) => (error ? reject(error) : resolve(result!)));
    });
    return answer.catch((error: pg.DatabaseError) => {
      if (!OUTGROWN.has(error.code ?? '')) throw error;
      names.set(text, undefined);
      if (this.getTransactionStatus() !== 'I') throw error;
      return this.#run(text, values);
    });
  }
}
