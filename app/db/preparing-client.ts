import pg from 'pg';
import { DeadlineClient } from './deadline-client.ts';
import { names as columnNames } from './snake-names.ts';

/** Statements a connection keeps prepared, and texts that are counted before they are, at most. */
const MOST_PREPARED = 300;
const MOST_COUNTED = 1_000;
/** A text is prepared when it comes for the third time: one that a list of values made may never come again. */
const WORTH_IT = 3;

/** A result of all columns changes with the table, and a prepared statement whose result changes is an error. */
const PREPARABLE = /^(?:select|with)\b(?!.*(?:\bselect|[.,"])\s*\*)/is;

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

type Run = (query: pg.QueryConfig | unknown, values?: unknown, ...more: unknown[]) => Promise<pg.QueryResult>;

type Heard = (error: Error | null, result: pg.QueryResult) => void;
/** What pg makes of the description of a result. */
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown };
type Connection = { describe(): void };
type Description = { fields: { name: string }[] };

/** What pg's own query has inside. */
declare class Inside {
  constructor(query: pg.QueryConfig);
  name: string;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: Description): void;
}

/** What one connection has told of the reads that it keeps prepared, by their names. */
type Told = { columns: Map<string, Columns>; unasked?: Connection };

/**
 * A prepared read. Of which columns its result is, is asked when it runs for the first time: they stay what they are for as
 * long as it is prepared, and to hear of them costs as much as to read the rows.
 */
class PreparedRead extends (pg.Query as unknown as typeof Inside) {
  readonly #told: Told;

  constructor(query: pg.QueryConfig, told: Told) {
    super(query);
    this.#told = told;
  }

  override handleRowDescription(message: Description): void {
    for (const field of message.fields) field.name = columnNames.nameHere(field.name);
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#told.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override prepare(connection: Connection): void {
    const columns = this.#told.columns.get(this.name);
    super.prepare(columns ? this.#expect(columns, connection) : connection);
  }

  /** Takes the columns as known. Answers the connection without the question for them. */
  #expect(columns: Columns, connection: Connection): Connection {
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    this.#told.unasked ??= Object.create(connection, { describe: { value: () => {} } }) as Connection;
    return this.#told.unasked;
  }
}

/**
 * A connection that prepares the reads it is asked for again and again: the server plans them once and not for
 * each request, which is half of its work for a page of many small reads. A statement that a migration has outgrown
 * loses its name for good and is run once more as it came; inside a transaction its error has ended that, and goes up.
 */
export class PreparingClient extends DeadlineClient {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const run = this.query as Run;
    const told: Told = { columns: new Map() };
    const readPrepared = (query: pg.QueryConfig) =>
      new Promise<pg.QueryResult>((resolve, reject) => {
        const heard: Heard = (error, result) => (error ? reject(error) : resolve(result));
        void run(new PreparedRead(query, told), heard);
      });
    const prepare: Run = (query, values, ...more) => {
      if (typeof query !== 'string' || !Array.isArray(values) || more.length > 0) {
        return run(query, values, ...more);
      }
      const name = nameOf(query);
      if (!name) return run(query, values);
      return readPrepared({ name, text: query, values }).catch((error: pg.DatabaseError) => {
        if (!OUTGROWN.has(error.code ?? '')) throw error;
        names.set(query, undefined);
        if (this.getTransactionStatus() !== 'I') throw error;
        return run(query, values);
      });
    };
    this.query = prepare as typeof this.query;
  }
}
