import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** The names of the statements that are run often, by their texts: the same in each process and on each connection. */
const names = new Map<string, string>();

/** From now on a statement with this text is run as a named one. */
export function nameStatement(text: string): void {
  names.set(text, `read_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`);
}

/** From now on a statement with this text is run without a name. */
export function forgetName(text: string): void {
  names.delete(text);
}

/**
 * The pool for Kysely. pg prepares a statement that has a name once on each connection, so that Postgres does not parse and
 * plan it again for each request.
 */
export class NamedStatementsPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    const known = this.#clients.get(client) ?? withNames(client);
    this.#clients.set(client, known);
    return known;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

function withNames(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: unknown[]) => {
    const name = names.get(text);
    return client.query(name ? { name, text, values } : { text, values });
  };
  const release = (isBroken?: boolean) => client.release(isBroken);
  // Without cursors, of which Kysely's type has an overload.
  return { query, release } as unknown as PostgresPoolClient;
}
