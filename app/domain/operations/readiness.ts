import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { pendingMigrations } from '#app/db/migrate.ts';
import { findHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';

const TIMEOUT_MS = 3_000;

/** Only the web role has this privilege. With another role nearly every page fails. */
async function hasWebRole(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    may: boolean;
  }>`select has_table_privilege('sessions', 'insert') as may`.execute(db);
  return rows[0]!.may;
}

const CHECKS = {
  database: async () => true,
  migrations: async (db: Db) => (await pendingMigrations(db)).length === 0,
  rights: hasWebRole,
  ticks: async (db: Db) => (await findHeartbeat(db)).isTicking,
};
export type Check = keyof typeof CHECKS;

const ALL_CHECKS = Object.keys(CHECKS) as Check[];
/** What a web process needs. A stopped worker is shown on the pages instead. */
const WEB_CHECKS = ['database', 'migrations', 'rights'] as const satisfies Check[];

/** Returns the failed checks. Without a database all fail. */
async function findFailed(db: Db, checks: readonly Check[]): Promise<Check[]> {
  try {
    await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
  } catch {
    return [...checks];
  }
  const passes = (check: Check) => CHECKS[check](db).catch(() => false);
  const results = await Promise.all(checks.map(passes));
  return checks.filter((_, index) => !results[index]);
}

/** Returns the failed checks, or all of them after a timeout. */
export async function findUnready(db: Db, scope: 'all' | 'web' = 'all'): Promise<Check[]> {
  const checks = scope === 'all' ? ALL_CHECKS : WEB_CHECKS;
  const abort = new AbortController();
  const timedOut = wait(TIMEOUT_MS, [...checks], { signal: abort.signal });
  timedOut.catch(() => {});
  return Promise.race([findFailed(db, checks), timedOut]).finally(() => abort.abort());
}
