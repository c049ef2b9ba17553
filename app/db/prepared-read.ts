import pg from 'pg';
import { names as columnNames } from './snake-names.ts';

/** What pg makes of the description of a result. */
type Columns = {
  fields: { name: string }[];
  _parsers: ((text: string) => unknown)[];
  /** Every column, with null in it. */
  _prebuiltEmptyResultObject: Record<string, unknown>;
};
type Description = { fields: { name: string }[] };
type DataRow = { fields: (string | null)[] };
export type Connection = {
  describe(): void;
  sync(): void;
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
};
export type Heard = (error: Error | null, result?: pg.QueryResult) => void;
export type Named = { name: string; text: string; values: unknown[] };

/** What pg's own query has inside. */
declare class Inside {
  constructor(text: string, values?: unknown[]);
  callback: ((error: Error | null, answer?: never) => void) | undefined;
  name: string;
  text: string;
  _result: Columns & { _types: unknown; rows: unknown[] };
  _canceledDueToError: unknown;
  prepare(connection: Connection): void;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: Description): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

/** What one connection has told of the reads that it keeps prepared, by their names, and how it reads their values. */
export type Told = { columns: Map<string, Columns>; types: unknown };

const silent = {
  describe: new WeakMap<Connection, Connection>(),
  sync: new WeakMap<Connection, Connection>(),
};

/** The connection without one of its messages. */
function without(message: 'describe' | 'sync', connection: Connection): Connection {
  const known = silent[message].get(connection);
  if (known) return known;
  const made = Object.create(connection, { [message]: { value: () => {} } }) as Connection;
  silent[message].set(connection, made);
  return made;
}

/**
 * A prepared read. Of which columns its result is, is asked when it runs for the first time: they stay what they are for as
 * long as it is prepared, and to hear of them costs as much as to read the rows.
 */
export class PreparedRead extends (pg.Query as unknown as typeof Inside) {
  readonly #told: Told;

  constructor(query: Named, told: Told) {
    // Of one that is an object pg would make a copy first.
    super(query.text, query.values);
    this.name = query.name;
    this.#told = told;
    this._result._types = told.types;
  }

  override handleRowDescription(message: Description): void {
    for (const field of message.fields) field.name = columnNames.nameHere(field.name);
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#told.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  /** As pg does, but that it copies the empty row in a way that V8 is slow at, and tells each row to whoever might listen. */
  override handleDataRow({ fields: values }: DataRow): void {
    if (this._canceledDueToError) return;
    const { rows, fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    try {
      const row = Object.assign({}, _prebuiltEmptyResultObject);
      for (let at = 0; at < values.length; at += 1) {
        const value = values[at];
        if (value != null) row[fields[at]!.name] = _parsers[at]!(value);
      }
      rows.push(row);
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override prepare(connection: Connection): void {
    const columns = this.#told.columns.get(this.name);
    if (columns) Object.assign(this._result, columns);
    super.prepare(columns ? without('describe', connection) : connection);
  }
}

/** A read, and who waits for its answer. */
export type Waiting = { read: PreparedRead; heard: Heard };

/**
 * Prepared reads that the server answers all together: after each `sync` it sends what it has, so that without the ones
 * in between it and this process are woken once and not by every read. To pg it is one query, with the name and the text
 * of the read that is being answered; each read tells its own answer. When one fails, those after it are not run, and
 * what hears of the end of the batch is told which.
 */
export class ReadBatch extends (pg.Query as unknown as typeof Inside) {
  readonly #waiting: Waiting[];
  readonly #reads: PreparedRead[];
  #at = 0;

  constructor(waiting: Waiting[]) {
    const reads = waiting.map(({ read }) => read);
    super(reads[0]!.text);
    this.name = reads[0]!.name;
    this.#waiting = waiting;
    this.#reads = reads;
  }

  override submit(connection: Connection): null {
    const unsynced = without('sync', connection);
    for (const read of this.#reads) read.prepare(unsynced);
    connection.sync();
    return null;
  }

  override handleRowDescription(message: Description): void {
    this.#reads[this.#at]!.handleRowDescription(message);
  }

  override handleDataRow(message: DataRow): void {
    this.#reads[this.#at]!.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.#reads[this.#at]!.handleCommandComplete(message, connection);
    this.#at += 1;
    const next = this.#reads[this.#at];
    if (next) Object.assign(this, { name: next.name, text: next.text });
  }

  override handleReadyForQuery(connection: Connection): void {
    this.#tell(connection);
    this.callback!(null, [] as never);
  }

  override handleError(error: Error, connection: Connection): void {
    this.#tell(connection);
    this.#waiting[this.#at]?.heard(error);
    const notRun = this.#waiting.slice(this.#at + 1);
    const { parsedStatements, submittedNamedStatements } = connection;
    for (const { read } of notRun) {
      if (!parsedStatements[read.name]) delete submittedNamedStatements[read.name];
    }
    this.callback!(null, notRun as never);
  }

  /** The reads that are answered say so. */
  #tell(connection: Connection): void {
    for (const { read, heard } of this.#waiting.slice(0, this.#at)) {
      read.callback = heard;
      read.handleReadyForQuery(connection);
    }
  }
}
