import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { emitEvent, requestNetwork } from '#app/domain/platform/events.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { requireActingAdmin } from './admins.ts';

const PAGE = 50;
/** The admins to choose from: those of the latest entries. */
const ADMINS = 100;

type Values = Record<string, unknown>;
type Entry = {
  action: string;
  subjectId: string | null;
  /** What was done. Nobody's name or address: the log outlives accounts. */
  detail: Values;
  /** What of it was otherwise before. */
  before?: Values;
};

/**
 * Writes down what an admin did, in the transaction in which it is done. Refuses, and so ends it, when they may not do it any
 * more. The database refuses to change a row.
 */
export async function recordAdminAction(
  trx: Trx,
  admin: Actor,
  { detail, before, ...entry }: Entry,
  now: Date,
): Promise<void> {
  await requireActingAdmin(trx, admin.userId);
  const all = JSON.stringify(before ? { ...detail, before } : detail);
  await trx
    .insertInto('auditLog')
    .values({ ...entry, adminId: admin.userId, detail: all, network: requestNetwork(), createdAt: now })
    .execute();
  const { action, subjectId } = entry;
  emitEvent('admin_action', { userId: admin.userId, action, subjectId }, trx);
}

/** `before` is the id of the last entry of the page before; `since` and `until` an instant and the first one after. */
export type AuditQuery = {
  before?: string | undefined;
  action?: string;
  adminId?: string;
  q?: string;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** By so much an entry may have come before one of an earlier instant: by clocks that differ, or a long transaction. */
const OUT_OF_ORDER_MS = 86_400_000;
const MOST_ID = '9223372036854775807';

/** A span by the ids, which the log is read by, between those that surely lie outside: the index of instants finds them. */
const isSince = (at: Date) => sql<boolean>`(audit_log.created_at >= ${at} and audit_log.id > coalesce(
  (select id from audit_log where created_at < ${new Date(at.getTime() - OUT_OF_ORDER_MS)}
    order by created_at desc, id desc limit 1), 0))`;
const isUntil = (at: Date) => sql<boolean>`(audit_log.created_at < ${at} and audit_log.id < coalesce(
  (select id from audit_log where created_at >= ${new Date(at.getTime() + OUT_OF_ORDER_MS)}
    order by created_at, id limit 1), ${MOST_ID}::bigint))`;

/** So many of somebody's payments are looked for in the log. */
const PAYMENTS = 200;
const WORDS = 100;

/** What an entry is about that is looked for by an id, or by somebody's address: they, and their payments. */
function subjectsOf(q: string) {
  const email = q.toLowerCase();
  if (isId(q)) return sql`select ${q}::uuid`;
  return sql`select id from users where email = ${email} union all (select payments.id from payments
    join users on users.id = payments.user_id where users.email = ${email} limit ${PAYMENTS})`;
}

/** It has these words, or is about whom they name. */
function isFound(q: string) {
  const words = `%${q.slice(0, WORDS).replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`(audit_log.action || ' ' || audit_log.detail::text ilike ${words}
    or audit_log.subject_id = any(array(${subjectsOf(q)})))`;
}

/** What admins did, newest first. Whose payment or account an entry is about is said for as long as the account is there. */
export async function listAuditLog(db: Db, { before, action, adminId, q, since, until }: AuditQuery = {}) {
  const isCursor = before !== undefined && /^\d{1,18}$/.test(before);
  const rows = await db
    .selectFrom('auditLog')
    .leftJoin('users', 'users.id', 'auditLog.adminId')
    .leftJoin('payments', 'payments.id', 'auditLog.subjectId')
    .leftJoin('users as payer', 'payer.id', 'payments.userId')
    .leftJoin('users as person', 'person.id', 'auditLog.subjectId')
    .select(['auditLog.id', 'action', 'subjectId', 'adminId', 'detail', 'network', 'auditLog.createdAt'])
    .select(['users.name as adminName', 'users.email as adminEmail'])
    .select(['payments.id as paymentId', 'payer.name as payerName', 'payer.email as payerEmail'])
    .select(['person.name as personName', 'person.email as personEmail'])
    .$if(isCursor, (q) => q.where('auditLog.id', '<', before!))
    .$if(Boolean(action), (q) => q.where('action', '=', action!))
    .$if(Boolean(q), (query) => query.where(isFound(q!)))
    .$if(since !== undefined, (query) => query.where(isSince(since!)))
    .$if(until !== undefined, (query) => query.where(isUntil(until!)))
    .$if(adminId !== undefined && isId(adminId), (q) => q.where('adminId', '=', adminId!))
    .orderBy('auditLog.id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const entries = rows.slice(0, PAGE);
  return { entries, next: rows.length > PAGE ? entries.at(-1)!.id : null };
}

/** Who stands in the log, by name; those whose accounts are gone last. */
export async function listAuditAdmins(db: Db) {
  // Each id is looked up after the one before: a log is long, and those who wrote it are few.
  const { rows } = await sql<{ id: string; name: string | null }>`
    with recursive a (admin_id) as (
      (select admin_id from audit_log where admin_id is not null order by admin_id limit 1)
      union all
      select (select admin_id from audit_log where admin_id > a.admin_id order by admin_id limit 1)
      from a where a.admin_id is not null
    )
    select a.admin_id as id, users.name
    from (select admin_id from a where admin_id is not null limit ${ADMINS}) a
      left join users on users.id = a.admin_id
    order by users.name nulls last, a.admin_id`.execute(db);
  return rows;
}
