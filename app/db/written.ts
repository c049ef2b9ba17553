import type { CompiledQuery } from 'kysely';
import type { Db } from './client.ts';

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

/**
 * A read that is put together and written down once in the life of the process, and run with other values each time:
 * of a page with many small reads that is most of what they cost it. `write` passes the values on into the statement;
 * it cannot look at them, and so writes the same for all.
 */
export function written<Given extends object, Row>(write: (db: Db, given: Given) => Writable<Row>) {
  let statement: CompiledQuery<Row> | undefined;
  return async (db: Db, given: Given): Promise<Row[]> => {
    statement ??= write(db, places as Given).compile(db);
    const parameters = statement.parameters.map((value) =>
      value instanceof Place ? given[value.name as keyof Given] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters });
    return rows;
  };
}
