import type { CompiledQuery } from 'kysely';
import type { Db } from './client.ts';
import { deallocateName, nameStatement } from './named-statements.ts';

/** Stands for a value that is passed when the statement runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`The value of ${this.name} is known only when the statement runs.`);
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

type Compilable<Row> = { compile(db: Db): CompiledQuery<Row> };

/** SQLSTATEs of a prepared statement after a migration changed the type of its result or a parameter. */
const isOutdated = (error: unknown) =>
  ['0A000', '42883', '42804'].includes((error as { code?: string }).code ?? '');

/**
 * Returns a function that runs a query as a named (prepared) statement. The query is compiled once per process.
 *
 * `build` receives placeholders instead of values: it may pass them on to Kysely, but must not branch on them, and
 * converting one to a string or number throws. Select columns by name: the result of `select *` changes with the table, and
 * Postgres then refuses the prepared statement.
 *
 * When a migration has changed the type of a column, the statement loses its name and runs once more. Inside a
 * transaction, which the error has already aborted, the error is thrown.
 */
export function compiledQuery<Params extends object, Row>(
  build: (db: Db, params: Params) => Compilable<Row>,
) {
  let statement: CompiledQuery<Row> | undefined;
  return async (db: Db, params: Params): Promise<Row[]> => {
    if (!statement) {
      statement = build(db, placeholders as Params).compile(db);
      nameStatement(statement.sql);
    }
    const parameters = statement.parameters.map((value) =>
      value instanceof Placeholder ? params[value.name as keyof Params] : value,
    );
    const query = { ...statement, parameters };
    try {
      return (await db.executeQuery<Row>(query)).rows;
    } catch (error) {
      if (!isOutdated(error)) throw error;
      deallocateName(query.sql);
      if (db.isTransaction) throw error;
      return (await db.executeQuery<Row>(query)).rows;
    }
  };
}
