import { z } from 'zod';
import { Refusal } from './refusal.ts';

/** What `writeCursor` can come to, in characters. */
export const LONGEST_CURSOR = 100;

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** `limit` and `cursor` of a list call. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export type Page<T> = { rows: T[]; nextCursor: string | null };
export type Keyset = { at: Date; id: string };

const writeCursor = ({ at, id }: Keyset) =>
  Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');

/** Where a page goes on: the last row's instant and id. A cursor that we did not write is refused. */
export function readCursor(cursor: string | undefined): Keyset | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    const keyset = { at: new Date(at), id };
    if (writeCursor(keyset) === cursor) return keyset;
  } catch {
    // Not even the form of one.
  }
  throw new Refusal(400, 'malformed', 'This list cannot go on from there. Please open it again');
}

/** Whether a list can go on from there: for one that otherwise begins anew. */
export function isCursor(text: string): boolean {
  try {
    return readCursor(text) !== undefined;
  } catch {
    return false;
  }
}

/** Where a list goes on that begins with a row: so many milliseconds to the side from which its order comes. */
export const cursorBefore = ({ at, id }: Keyset, ms: number): string =>
  writeCursor({ at: new Date(at.getTime() + ms), id });

/** Cuts the one row that was read beyond the limit into a cursor. */
export function toPage<T>(rows: T[], limit: number, keyOf: (row: T) => Keyset): Page<T> {
  if (rows.length <= limit) return { rows, nextCursor: null };
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: writeCursor(keyOf(shown.at(-1)!)) };
}

/** Whether a text from a URL can be an id at all; others would be an error of the database. */
export const isId = (value: string | undefined): value is string => z.uuid().safeParse(value).success;
