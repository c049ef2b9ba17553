import type { CompiledQuery } from 'kysely';
import type { Db } from './client.ts';
import { deallocateName, nameStatement } from './named-statements.ts';

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

/** SQLSTATEs of a prepared statement whose result or parameters have another type since a migration. */
const OUTGROWN = new Set(['0A000', '42883', '42804']);
const isOutgrown = (error: unknown) => OUTGROWN.has((error as { code?: string }).code ?? '');

/**
 * Returns a function that runs a query as a named (prepared) statement, with different values each time. The query is
 * compiled once per process.
 *
 * `write` builds the query. It receives placeholders instead of values: it may pass them on to Kysely, but must not
 * branch on them, and converting one to a string or number throws. Select columns by name: the result of `select *`
 * changes with the table, and Postgres then refuses the prepared statement.
 *
 * When a migration has changed the type of a column, the statement loses its name and runs once more. Inside a
 * transaction, which the error has already aborted, the error is thrown.
 */
export function compiledQuery<Given extends object, Row>(write: (db: Db, given: Given) => Writable<Row>) {
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
      deallocateName(query.sql);
      if (db.isTransaction) throw error;
      return (await db.executeQuery<Row>(query)).rows;
    }
  };
}
