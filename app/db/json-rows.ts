import type { ShallowDehydrateObject } from 'kysely';

type InstantOf<Row> = {
  [Name in keyof Row]-?: Date extends Row[Name] ? Name : never;
}[keyof Row];

/**
 * Returns a function that turns a row from `jsonArrayFrom` or `jsonObjectFrom` into the row that the same query returns
 * on its own. JSON has no Date, so `instants` names each column that is one; a missing name is a type error.
 */
export function jsonReader<Row extends object>(instants: Record<InstantOf<Row>, true>) {
  const names = Object.keys(instants);
  return (json: ShallowDehydrateObject<Row>): Row => {
    const row: Record<string, unknown> = { ...json };
    for (const name of names) {
      if (row[name] !== null) row[name] = new Date(row[name] as string);
    }
    return row as Row;
  };
}
