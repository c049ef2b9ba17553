import type pg from 'pg';
import { DeadlineClient } from './deadline-client.ts';

/** Statements a connection keeps prepared, and texts that are counted before they are, at most. */
const MOST_PREPARED = 300;
const MOST_COUNTED = 1_000;
/** A text is prepared when it comes for the third time: one that a list of values made may never come again. */
const WORTH_IT = 3;

/** A result of all columns changes with the table, and a prepared statement whose result changes is an error. */
const PREPARABLE = /^(?:select|with)\b(?!.*(?:\bselect|[.,"])\s*\*)/is;

const counts = new Map<string, number>();
const names = new Map<string, string>();

/** The name to prepare a statement under, the same for all connections of the process; undefined to just run it. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST_PREPARED || !PREPARABLE.test(text)) return known;
  const count = (counts.get(text) ?? 0) + 1;
  if (count < WORTH_IT) {
    if (counts.size >= MOST_COUNTED) counts.clear();
    counts.set(text, count);
    return undefined;
  }
  counts.delete(text);
  names.set(text, `read_${names.size + 1}`);
  return names.get(text);
}

type Run = (query: pg.QueryConfig | unknown, values?: unknown, ...more: unknown[]) => Promise<pg.QueryResult>;

/**
 * A connection that prepares the reads it is asked for again and again: the server plans them once and not for
 * each request, which is half of its work for a page of many small reads.
 */
export class PreparingClient extends DeadlineClient {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const run = this.query as Run;
    const prepare: Run = (query, values, ...more) => {
      const name = typeof query === 'string' && Array.isArray(values) ? nameOf(query) : undefined;
      return name ? run({ name, text: query as string, values }, ...more) : run(query, values, ...more);
    };
    this.query = prepare as typeof this.query;
  }
}
