import { z } from 'zod';

const Cursor = z.tuple([z.coerce.date(), z.uuid()]);

/** `limit` and `cursor` of a list call. A cursor that is not ours starts from the beginning. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export type Page<T> = { rows: T[]; nextCursor: string | null };
export type Keyset = { at: Date; id: string };

/** Where a page goes on: the last row's instant and id. */
export function readCursor(cursor: string | undefined): Keyset | undefined {
  if (!cursor) return undefined;
  try {
    const [at, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}

/** Cuts the one row that was read beyond the limit into a cursor. */
export function toPage<T>(rows: T[], limit: number, keyOf: (row: T) => Keyset): Page<T> {
  if (rows.length <= limit) return { rows, nextCursor: null };
  const shown = rows.slice(0, limit);
  const { at, id } = keyOf(shown.at(-1)!);
  return {
    rows: shown,
    nextCursor: Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url'),
  };
}

/** Whether a text from a URL can be an id at all; others would be an error of the database. */
export const isId = (value: string | undefined): value is string => z.uuid().safeParse(value).success;
