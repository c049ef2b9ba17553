import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const FLOOD = 100;

let db: Db;
let url: string;

before(async () => {
  const database = await testDatabase();
  db = database.db;
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
  await countWrites();
});

/** Every statement that writes to a table of ours draws a number, also when it writes no row or is taken back. */
async function countWrites() {
  await sql`create sequence writes`.execute(db);
  await sql`grant usage on sequence writes to public`.execute(db);
  await sql`
    create function count_write() returns trigger language plpgsql as
    $$ begin perform nextval('public.writes'); return null; end $$`.execute(db);
  await sql`
    do $$ declare one text; begin
      for one in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('public', 'graphile_worker')
      loop
        execute format(
          'create trigger counts_writes before insert or update or delete or truncate on %s execute function count_write()', one);
      end loop;
    end $$`.execute(db);
}

async function writes(): Promise<number> {
  const { rows } = await sql<{ count: string }>`select nextval('writes') as count`.execute(db);
  return Number(rows[0]!.count);
}

type Send = (from: string) => Promise<Response>;

const call =
  (path: string, body: () => object | Promise<object>): Send =>
  async (from) =>
    fetch(`${url}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
      body: JSON.stringify(await body()),
    });

const form =
  (path: string, fields: () => Record<string, string>): Send =>
  (from) =>
    fetch(url + path, {
      method: 'POST',
      headers: { Origin: url, 'X-Forwarded-For': from },
      body: new URLSearchParams(fields()),
      redirect: 'manual',
    });

const stranger = () => signUpInput().email;
const wrong = (email: string) => ({ email, password: 'not the password' });
const newcomer = (email: string) => ({ name: 'Ada', email, password: PASSWORD });
const signUp = (email: string) => ({
  ...newcomer(email),
  confirmPassword: PASSWORD,
  timeZone: 'Europe/Paris',
});

/** Sends until a call is refused as one too many, then the flood: all of it is refused and none of it writes. */
async function flood(send: Send, from: (nth: number) => string) {
  let nth = 0;
  const next = async () => {
    nth += 1;
    const answer = await send(from(nth));
    return /Too many attempts/.test(await answer.text()) ? answer.status : 0;
  };
  // That a code is mailed once a minute is another rule, which refuses before.
  while ((await next()) !== 429) assert.ok(nth < 200, 'nothing is refused');
  const written = await writes();
  const statuses = await Promise.all(Array.from({ length: FLOOD }, next));
  assert.deepEqual(new Set(statuses), new Set([429]));
  assert.equal((await writes()) - written - 1, 0, 'statements that write');
}

describe(`${FLOOD} refused calls write nothing`, () => {
  const one = stranger();
  const doors: Record<string, Send> = {
    'sign-in of one account': call('login', () => wrong(one)),
    'sign-in of many accounts': call('login', () => wrong(stranger())),
    'sign-in on the page': form('/login', () => wrong(stranger())),
    'sign-up of one account': call('signup', () => newcomer(one)),
    'sign-up of many accounts on the page': form('/signup', () => signUp(stranger())),
    'codes of many accounts': call('verify-otp', () => ({ email: stranger(), otp: '123456' })),
    'new codes': call('resend-otp', () => ({ email: one })),
    'new passwords of many accounts': call('forgot-password', () => ({ email: stranger() })),
    'new passwords on the page': form('/forgot-password', () => ({ email: one })),
  };
  for (const [index, [name, send]] of Object.entries(doors).entries())
    test(`${name}, from one address`, () => flood(send, () => `10.3.${index}.1`));

  test('sign-in of one account, each from another address', async () => {
    const { email } = await makeUser(db);
    await flood(
      call('login', () => wrong(email)),
      (nth) => `10.4.0.${nth}`,
    );
  });
});
