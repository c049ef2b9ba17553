import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';

/** A database with the locale C has no letters outside of ASCII. */
const WORD = 'Привет';

/** Whether pg_trgm's similarity works for texts in other scripts than the Latin one. */
export async function comparesAllScripts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ same: number }>`select similarity(${WORD}, ${WORD}) as same`.execute(db);
  return rows[0]!.same === 1;
}

export const NO_LETTERS =
  'The database was made for the locale C, so it cannot compare texts in Russian, Hindi and other scripts';
export const NEW_DATABASE =
  'Make a new one with a UTF-8 locale (createdb -T template0 -l C.UTF-8; the embedded one is made anew when .data/ is moved away) and restore a pg_dump of this one there.';
