import type { ShallowDehydrateObject } from 'kysely';

/** The names of the columns of a row that are instants. */
type InstantOf<Row> = {
  [Name in keyof Row]-?: Date extends Row[Name] ? Name : never;
}[keyof Row];

/**
 * Makes the function that reads a row out of a JSON value of a larger statement (`jsonArrayFrom`, `jsonObjectFrom`). JSON has
 * texts for instants: the columns that are instants are named here, all of them.
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
