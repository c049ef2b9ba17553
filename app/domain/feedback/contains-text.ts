import { type RawBuilder, sql } from 'kysely';
import { has } from '#app/domain/platform/sql-like.ts';

/** The feedback in the row has a text in it, as it stands, whatever its case; an index of its trigrams answers. */
export const containsText = (q: string): RawBuilder<boolean> =>
  sql<boolean>`(feedback.title || ' ' || feedback.description) ilike ${has(q)}`;
