import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { notFound, Refusal } from './refusal.ts';

export const CURSOR_MAX_LENGTH = 100;

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);
/** The largest int4, and the last instant of a four-digit year. */
const [MAX_COUNT, MAX_MS] = [2_147_483_647, 253_402_300_799_999];
const CountedCursor = z.tuple([z.int().min(0).max(MAX_COUNT), z.int().min(0).max(MAX_MS), z.uuid()]);

export const PAGE_LENGTH = 50;

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(PAGE_LENGTH),
  cursor: z.string().optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export type Page<T> = { rows: T[]; nextCursor: string | null };
export type Keyset = { at: Date; id: string };
/** For a list that is ordered by a number. */
export type CountedKeyset = Keyset & { count: number };

const encode = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Refuses a cursor that we did not encode. */
function decode<S extends z.ZodType<unknown[]>>(schema: S, cursor: string): z.output<S> {
  try {
    const parts = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (encode(parts) === cursor) return parts;
  } catch {
    // Not base64url JSON.
  }
  throw new Refusal(400, 'malformed', 'This list cannot go on from there. Please open it again');
}

const writeCursor = ({ at, id }: Keyset) => encode([at.toISOString(), id]);
const writeCounted = ({ count, at, id }: CountedKeyset) => encode([count, at.getTime(), id]);

/** The row after which a page begins. A cursor that we did not write is refused. */
export function readCursor(cursor: string | undefined): Keyset | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = decode(Cursor, cursor);
  return { at: new Date(at), id };
}

export function readCountedCursor(cursor: string | undefined): CountedKeyset | undefined {
  if (cursor === undefined) return undefined;
  const [count, at, id] = decode(CountedCursor, cursor);
  return { count, at: new Date(at), id };
}

/** In a list that is sorted by `at` and id in descending order, the rows after a cursor; all rows without one. */
export const isAfterCursor = (cursor: string | undefined, at: string, id = 'id'): RawBuilder<boolean> => {
  const after = readCursor(cursor);
  return after ? sql`(${sql.ref(at)}, ${sql.ref(id)}) < (${after.at}, ${after.id})` : sql`true`;
};

/** For lists that start from the beginning when the cursor is invalid. */
const canRead = (read: (cursor: string) => unknown) => (text: string) => {
  try {
    return read(text) !== undefined;
  } catch {
    return false;
  }
};
export const isCursor = canRead(readCursor);
export const isCountedCursor = canRead(readCountedCursor);

/** The cursor for a list that begins with this row. `ms` moves it to the side of the rows before. */
export const cursorBefore = ({ at, id }: Keyset, ms: number): string =>
  writeCursor({ at: new Date(at.getTime() + ms), id });

/** `rows` has one row more than `limit` when there is another page. */
export function toPage<T>(rows: T[], limit: number, keyOf: (row: T) => Keyset | CountedKeyset): Page<T> {
  if (rows.length <= limit) return { rows, nextCursor: null };
  const page = rows.slice(0, limit);
  const last = keyOf(page.at(-1)!);
  return { rows: page, nextCursor: 'count' in last ? writeCounted(last) : writeCursor(last) };
}

/** Guards queries against texts from URLs, which Postgres would refuse as a uuid. */
export const isId = (value: string | undefined): value is string => z.uuid().safeParse(value).success;

/** Returns what `find` finds. Throws a Refusal when it finds nothing, or when the id is not a uuid. */
export async function findOrRefuse<T>(
  what: string,
  id: string,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const found = isId(id) ? await find() : undefined;
  if (found === undefined) throw notFound(what);
  return found;
}
