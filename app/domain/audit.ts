import type { Db, Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';

const PAGE = 50;

type Entry = { action: string; subjectId: string | null; detail: Record<string, unknown> };

/** Writes down what an admin did, in the transaction in which it is done. Rows are never changed. */
export async function recordAdminAction(trx: Trx, admin: Actor, entry: Entry, now: Date): Promise<void> {
  await trx
    .insertInto('auditLog')
    .values({ ...entry, adminId: admin.userId, detail: JSON.stringify(entry.detail), createdAt: now })
    .execute();
}

/** What admins did, newest first. `before` is the id of the last entry of the page before. */
export async function listAuditLog(db: Db, { before }: { before?: string } = {}) {
  const isCursor = before !== undefined && /^\d{1,18}$/.test(before);
  const rows = await db
    .selectFrom('auditLog')
    .leftJoin('users', 'users.id', 'auditLog.adminId')
    .select(['auditLog.id', 'action', 'subjectId', 'detail', 'auditLog.createdAt'])
    .select(['users.name as adminName', 'users.email as adminEmail'])
    .$if(isCursor, (q) => q.where('auditLog.id', '<', before!))
    .orderBy('auditLog.id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const entries = rows.slice(0, PAGE);
  return { entries, next: rows.length > PAGE ? entries.at(-1)!.id : null };
}
