import type { CompiledQuery } from 'kysely';
import type { Db } from './client.ts';
import { forgetName, nameStatement } from './named-statements.ts';

/** Stands in a statement for a value that is given when it is run. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`What ${this.name} is, is known only when the statement is run.`);
  }
}

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

/** What a query builder and a piece of SQL have in common. */
type Writable<Row> = { compile(db: Db): CompiledQuery<Row> };

/** What Postgres says when a prepared statement no longer fits its tables: its result, or a value, has another type. */
const OUTGROWN = new Set(['0A000', '42883', '42804']);
const isOutgrown = (error: unknown) => OUTGROWN.has((error as { code?: string }).code ?? '');

/**
 * A read that is compiled once in the life of the process and run as a named statement, with other values each time.
 * `write` passes the values on into the statement; it cannot look at them, and so writes the same for all. It selects
 * columns by their names: the result of `select *` changes with the table. When a migration gives a column another type, the
 * statement loses its name and is run once more; inside a transaction, which the error has ended, the error is thrown.
 */
export function written<Given extends object, Row>(write: (db: Db, given: Given) => Writable<Row>) {
  let statement: CompiledQuery<Row> | undefined;
  return async (db: Db, given: Given): Promise<Row[]> => {
    if (!statement) {
      statement = write(db, places as Given).compile(db);
      nameStatement(statement.sql);
    }
    const parameters = statement.parameters.map((value) =>
      value instanceof Place ? given[value.name as keyof Given] : value,
    );
    const query = { ...statement, parameters };
    try {
      return (await db.executeQuery<Row>(query)).rows;
    } catch (error) {
      if (!isOutgrown(error)) throw error;
      forgetName(query.sql);
      if (db.isTransaction) throw error;
      return (await db.executeQuery<Row>(query)).rows;
    }
  };
}
