import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { pendingMigrations } from '#app/db/migrate.ts';
import { findHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';

/** Before whoever asks gives up. */
const WITHIN_MS = 3_000;

/** Of the roles that a database may have, the web's alone. As another one nearly every page fails, and nobody signs in. */
async function hasWebRole(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    may: boolean;
  }>`select has_table_privilege('sessions', 'insert') as may`.execute(db);
  return rows[0]!.may;
}

/** What has to be so for the service to do its work, in the order in which one needs the other. */
const PARTS = {
  database: async () => true,
  migrations: async (db: Db) => (await pendingMigrations(db)).length === 0,
  rights: hasWebRole,
  ticks: async (db: Db) => (await findHeartbeat(db)).isTicking,
};
export type Part = keyof typeof PARTS;

const ALL = Object.keys(PARTS) as Part[];
/** What a web process cannot serve without. Pages also tell what is when the worker has stopped. */
const OWN = ['database', 'migrations', 'rights'] as const satisfies Part[];

/** Which parts are not as they should be. Without the database nothing is known of the others. */
async function look(db: Db, parts: readonly Part[]): Promise<Part[]> {
  try {
    await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
  } catch {
    return [...parts];
  }
  const isWell = (part: Part) => PARTS[part](db).catch(() => false);
  const found = await Promise.all(parts.map(isWell));
  return parts.filter((_, index) => !found[index]);
}

/** Names what is not ready: of everything, or of what a web process itself needs. */
export async function findUnready(db: Db, of: 'all' | 'web' = 'all'): Promise<Part[]> {
  const parts = of === 'all' ? ALL : OWN;
  const over = new AbortController();
  const late = wait(WITHIN_MS, [...parts], { signal: over.signal });
  late.catch(() => {});
  return Promise.race([look(db, parts), late]).finally(() => over.abort());
}
