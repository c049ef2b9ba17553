import { z } from 'zod';
import { Refusal } from './refusal.ts';

/** What `writeCursor` can come to, in characters. */
export const LONGEST_CURSOR = 100;

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);
/** What the database can count to, and the last instant of a year of four digits. */
const [MOST, LAST_MS] = [2_147_483_647, 253_402_300_799_999];
const CountedCursor = z.tuple([z.int().min(0).max(MOST), z.int().min(0).max(LAST_MS), z.uuid()]);

/** Rows of a page, where nobody says how many. */
export const PAGE_LENGTH = 50;

/** `limit` and `cursor` of a list call. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(PAGE_LENGTH),
  cursor: z.string().optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export type Page<T> = { rows: T[]; nextCursor: string | null };
export type Keyset = { at: Date; id: string };
/** Of a list in the order of a number. */
export type CountedKeyset = Keyset & { count: number };

const encode = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** What a cursor says, if we wrote it. */
function decode<S extends z.ZodType<unknown[]>>(schema: S, cursor: string): z.output<S> {
  try {
    const parts = schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (encode(parts) === cursor) return parts;
  } catch {
    // Not even the form of one.
  }
  throw new Refusal(400, 'malformed', 'This list cannot go on from there. Please open it again');
}

const writeCursor = ({ at, id }: Keyset) => encode([at.toISOString(), id]);
const writeCounted = ({ count, at, id }: CountedKeyset) => encode([count, at.getTime(), id]);

/** Where a page goes on: the last row's instant and id. A cursor that we did not write is refused. */
export function readCursor(cursor: string | undefined): Keyset | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = decode(Cursor, cursor);
  return { at: new Date(at), id };
}

/** The same of a list in the order of a number. */
export function readCountedCursor(cursor: string | undefined): CountedKeyset | undefined {
  if (cursor === undefined) return undefined;
  const [count, at, id] = decode(CountedCursor, cursor);
  return { count, at: new Date(at), id };
}

/** Whether a list can go on from there: for one that otherwise begins anew. */
const canRead = (read: (cursor: string) => unknown) => (text: string) => {
  try {
    return read(text) !== undefined;
  } catch {
    return false;
  }
};
export const isCursor = canRead(readCursor);
export const isCountedCursor = canRead(readCountedCursor);

/** Where a list goes on that begins with a row: so many milliseconds to the side from which its order comes. */
export const cursorBefore = ({ at, id }: Keyset, ms: number): string =>
  writeCursor({ at: new Date(at.getTime() + ms), id });

/** Cuts the one row that was read beyond the limit into a cursor. */
export function toPage<T>(rows: T[], limit: number, keyOf: (row: T) => Keyset | CountedKeyset): Page<T> {
  if (rows.length <= limit) return { rows, nextCursor: null };
  const shown = rows.slice(0, limit);
  const last = keyOf(shown.at(-1)!);
  return { rows: shown, nextCursor: 'count' in last ? writeCounted(last) : writeCursor(last) };
}

/** Whether a text from a URL can be an id at all; others would be an error of the database. */
export const isId = (value: string | undefined): value is string => z.uuid().safeParse(value).success;
