import { type RawBuilder, sql } from 'kysely';

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The feedback in the row has a text in it, as it stands, whatever its case; an index of its trigrams answers. */
export const saysIn = (q: string): RawBuilder<boolean> =>
  sql<boolean>`(feedback.title || ' ' || feedback.description) ilike ${`%${escaped(q)}%`}`;
