import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Statement names by SQL text. A name is a hash of its text, because a pooler may share a connection between processes. */
const names = new Map<string, string>();

/** From now on, statements with exactly this SQL text run as named (prepared) statements. */
export function nameStatement(text: string): void {
  names.set(text, `read_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`);
}

/** From now on, statements with this SQL text run without a name. Connections keep what they have prepared. */
export function deallocateName(text: string): void {
  names.delete(text);
}

/**
 * The pool that Kysely's PostgresDialect uses. It passes a name to pg for each statement registered with
 * `nameStatement`. pg then prepares that statement once per connection, and Postgres need not parse and plan it for
 * every request.
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
    const named = this.#clients.get(client) ?? withNames(client);
    this.#clients.set(client, named);
    return named;
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
  // Kysely's type also has an overload for cursors, which this pool does not support.
  return { query, release } as unknown as PostgresPoolClient;
}
