import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ACCOUNT_MAIL_RETENTION_DAYS, MAIL_RETENTION_DAYS } from '#app/domain/email/limits.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { deleteOldMails, resumeMails } from '#app/domain/email/sweep.ts';
import { jobs } from '#app/domain/platform/jobs.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const MINUTE = 60_000;
const later = (ms: number) => new Date(Date.now() + ms);

async function jobOf(mailId: string) {
  const { rows } = await sql<{ attempts: number; runAt: Date }>`
    select attempts, run_at from graphile_worker.jobs where key = ${`mail:${mailId}`}`.execute(db);
  return rows[0];
}

async function waitingMail(): Promise<string> {
  await queueMail(db, { address: 'noor@example.com', userId: null }, 'verifyEmail', {
    code: '123456',
    url: '',
  });
  const { id } = await db
    .selectFrom('mails')
    .select('id')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

const privateJobs = (change: string, mailId: string) =>
  sql`update graphile_worker._private_jobs set ${sql.raw(change)} where key = ${`mail:${mailId}`}`.execute(
    db,
  );

test('a mail whose job waits for its next try keeps its pauses', async () => {
  const id = await waitingMail();
  await privateJobs(`attempts = 5, run_at = now() + interval '20 minutes'`, id);
  const before = await jobOf(id);
  await resumeMails(db, later(5 * MINUTE));
  assert.deepEqual(await jobOf(id), before);
});

test('a mail is tried again within the hour, for however long the mail server was away', async () => {
  const [long, short] = [await waitingMail(), await waitingMail()];
  await privateJobs(`attempts = 10, run_at = now() + interval '6 hours'`, long);
  await privateJobs(`attempts = 10, run_at = now() + interval '50 minutes'`, short);
  const before = await jobOf(short);
  await resumeMails(db);
  const { attempts, runAt } = (await jobOf(long))!;
  assert.equal(attempts, 10);
  assert.ok(runAt.getTime() <= Date.now() + 60 * MINUTE);
  assert.ok(runAt.getTime() > Date.now() + 59 * MINUTE);
  assert.deepEqual(await jobOf(short), before);
});

test('the tries of a mail last for the day after which it is given up', () => {
  // As the queue pauses after each, and as the sweep has it.
  const pauseAfter = (tries: number) => Math.min(Math.exp(Math.min(tries, 10)) * 1_000, 60 * MINUTE);
  const pauses = Array.from({ length: jobs.sendMail.maxAttempts - 1 }, (_, nth) => pauseAfter(nth + 1));
  assert.ok(pauses.reduce((sum, ms) => sum + ms) >= 24 * 60 * MINUTE);
});

test('a mail whose job is lost or was given up gets another one', async () => {
  const lost = await waitingMail();
  await sql`delete from graphile_worker._private_jobs where key = ${`mail:${lost}`}`.execute(db);
  const givenUp = await waitingMail();
  await privateJobs('attempts = max_attempts', givenUp);
  await resumeMails(db, later(5 * MINUTE));
  assert.equal((await jobOf(lost))!.attempts, 0);
  assert.equal((await jobOf(givenUp))!.attempts, 0);
});

test('after a day a mail is given up, with its reason and without its secret', async () => {
  const id = await waitingMail();
  await resumeMails(db, later(25 * 60 * MINUTE));
  const mail = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.ok(mail.failedAt && mail.failure);
  assert.equal(mail.dataSealed, null);
});

test('that somebody without an account was mailed is forgotten when the links in it work no more, that an account was later', async () => {
  const { userId } = await makeUser(db);
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const mailed = (toAddress: string, createdAt: Date, of: string | null = null) => ({
    toAddress,
    createdAt,
    userId: of,
    sentAt: createdAt,
    kind: 'verifyEmail' as const,
  });
  await db
    .insertInto('mails')
    .values([
      mailed('old@people.example', ago(MAIL_RETENTION_DAYS + 1)),
      mailed('new@people.example', ago(MAIL_RETENTION_DAYS - 1)),
      mailed('account@people.example', ago(ACCOUNT_MAIL_RETENTION_DAYS - 1), userId),
      mailed('before@people.example', ago(ACCOUNT_MAIL_RETENTION_DAYS + 1), userId),
    ])
    .execute();
  // More than go at once.
  await sql`insert into mails (to_address, kind, created_at)
    select 'many@people.example', 'verifyEmail', ${ago(MAIL_RETENTION_DAYS + 2)} from generate_series(1, 1200)`.execute(
    db,
  );
  await deleteOldMails(db, now);
  const left = await db
    .selectFrom('mails')
    .select('toAddress')
    .where('toAddress', 'like', '%@people.example')
    .orderBy('toAddress')
    .execute();
  assert.deepEqual(
    left.map(({ toAddress }) => toAddress),
    ['account@people.example', 'new@people.example'],
  );
});
