import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { emitEvent, requestNetwork } from '#app/domain/platform/events.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { containsPattern } from '#app/domain/platform/sql-like.ts';
import { requireActingAdmin } from './admins.ts';

const PAGE_SIZE = 50;
const ADMINS_MAX = 100;

type Values = Record<string, unknown>;
type Entry = {
  action: string;
  subjectId: string | null;
  /** Never a name or an address: the log outlives accounts. */
  detail: Values;
  before?: Values;
};

/** Records an admin's action in its transaction; throws a Refusal when they are no admin any more. */
export async function recordAdminAction(
  trx: Trx,
  admin: Actor,
  { detail, before, ...entry }: Entry,
  now: Date,
): Promise<void> {
  await requireActingAdmin(trx, admin.userId);
  const detailJson = JSON.stringify(before ? { ...detail, before } : detail);
  await trx
    .insertInto('auditLog')
    .values({
      ...entry,
      adminId: admin.userId,
      detail: detailJson,
      network: requestNetwork(),
      createdAt: now,
    })
    .execute();
  const { action, subjectId } = entry;
  emitEvent('admin_action', { userId: admin.userId, action, subjectId }, trx);
}

/** `before` is the id of the previous page's last entry; `since` is inclusive, `until` exclusive. */
export type AuditQuery = {
  before?: string | undefined;
  action?: string;
  adminId?: string;
  q?: string;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** Ids and instants may disagree by this much: clocks differ, and transactions can be long. */
const OUT_OF_ORDER_MS = 86_400_000;
const ID_MAX = '9223372036854775807';

/** Bounds the ids too, because the log is read in the order of ids; the index of instants finds the bounds. */
const isSince = (at: Date) => sql<boolean>`(audit_log.created_at >= ${at} and audit_log.id > coalesce(
  (select id from audit_log where created_at < ${new Date(at.getTime() - OUT_OF_ORDER_MS)}
    order by created_at desc, id desc limit 1), 0))`;
const isUntil = (at: Date) => sql<boolean>`(audit_log.created_at < ${at} and audit_log.id < coalesce(
  (select id from audit_log where created_at >= ${new Date(at.getTime() + OUT_OF_ORDER_MS)}
    order by created_at, id limit 1), ${ID_MAX}::bigint))`;

const PAYMENTS_MAX = 200;
const SEARCH_MAX = 100;

/** The subjects that match an id or an address: the user and their payments. */
function matchingSubjects(q: string) {
  const email = q.toLowerCase();
  if (isId(q)) return sql`select ${q}::uuid`;
  return sql`select id from users where email = ${email} union all (select payments.id from payments
    join users on users.id = payments.user_id where users.email = ${email} limit ${PAYMENTS_MAX})`;
}

function matchesSearch(q: string) {
  const pattern = containsPattern(q.slice(0, SEARCH_MAX));
  return sql<boolean>`(audit_log.action || ' ' || audit_log.detail::text ilike ${pattern}
    or audit_log.subject_id = any(array(${matchingSubjects(q)})))`;
}

/** Newest first, with the name of the subject's user while the account exists. */
export async function listAuditLog(db: Db, { before, action, adminId, q, since, until }: AuditQuery = {}) {
  const isCursor = before !== undefined && /^\d{1,18}$/.test(before);
  const rows = await db
    .selectFrom('auditLog')
    .leftJoin('users', 'users.id', 'auditLog.adminId')
    .leftJoin('payments', 'payments.id', 'auditLog.subjectId')
    .leftJoin('users as payer', 'payer.id', 'payments.userId')
    .leftJoin('users as subject', 'subject.id', 'auditLog.subjectId')
    .select(['auditLog.id', 'action', 'subjectId', 'adminId', 'detail', 'network', 'auditLog.createdAt'])
    .select(['users.name as adminName', 'users.email as adminEmail'])
    .select(['payments.id as paymentId', 'payer.name as payerName', 'payer.email as payerEmail'])
    .select(['subject.name as subjectName', 'subject.email as subjectEmail'])
    .$if(isCursor, (q) => q.where('auditLog.id', '<', before!))
    .$if(Boolean(action), (q) => q.where('action', '=', action!))
    .$if(Boolean(q), (query) => query.where(matchesSearch(q!)))
    .$if(since !== undefined, (query) => query.where(isSince(since!)))
    .$if(until !== undefined, (query) => query.where(isUntil(until!)))
    .$if(adminId !== undefined && isId(adminId), (q) => q.where('adminId', '=', adminId!))
    .orderBy('auditLog.id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const entries = rows.slice(0, PAGE_SIZE);
  return { entries, next: rows.length > PAGE_SIZE ? entries.at(-1)!.id : null };
}

/** The admins with entries in the log, ordered by name; deleted ones last. */
export async function listAuditAdmins(db: Db) {
  // Looks each id up after the previous one: the log is long, and its admins are few.
  const { rows } = await sql<{ id: string; name: string | null }>`
    with recursive a (admin_id) as (
      (select admin_id from audit_log where admin_id is not null order by admin_id limit 1)
      union all
      select (select admin_id from audit_log where admin_id > a.admin_id order by admin_id limit 1)
      from a where a.admin_id is not null
    )
    select a.admin_id as id, users.name
    from (select admin_id from a where admin_id is not null limit ${ADMINS_MAX}) a
      left join users on users.id = a.admin_id
    order by users.name nulls last, a.admin_id`.execute(db);
  return rows;
}
