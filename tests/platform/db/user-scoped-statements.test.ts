/**
 * What is asked of the database again and again is about one user, so that it could stand on many machines, each user's
 * rows on one: docs/capacity.md. Heard between the processes and Postgres, and judged by the rules of Citus.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { listenOnTheWay, type Seen } from '#tests/harness/statement-log.ts';
import { type Crossing, crossings, type Layout } from '#tests/harness/statement-scope.ts';
import { startWeb } from '#tests/harness/web.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

/** Statements that are about many users, or about one who is not known yet, and what they need on many machines. */
const NAMED: { is: RegExp; why: string; needs: string }[] = [
  {
    is: /^select from post_schedules where held_at is null and due_at <= \$1 limit 1$/,
    why: 'the tick asks whether anything is due',
    needs: 'one row for each post that waits, on the first machine',
  },
  {
    is: /^with due as \( select post_schedules\.post_id, .* update post_schedules set enqueued_at/,
    why: 'the tick gives jobs to what does not go together',
    needs: 'the same',
  },
  {
    is: /^select count\(\*\)::int as count from \( select from post_schedules join posts/,
    why: 'the tick counts what goes together',
    needs: 'the same',
  },
  {
    is: /^select min\(\(post_schedules\.due_at \+ .* as at from post_schedules/,
    why: 'the publisher asks when the next post begins',
    needs: 'the same',
  },
  {
    is: /^select post_schedules\.post_id from post_schedules join posts .* order by post_schedules\.due_at limit/,
    why: 'the publisher asks whether anything is left',
    needs: 'the same',
  },
  {
    is: /^select "posts"\."id", .* order by "post_schedules"\."due_at" limit \$\d+ for update of "posts", "post_schedules" skip locked$/,
    why: 'the publisher takes what goes together, of many users',
    needs: 'a batch for each machine, from those rows',
  },
  {
    is: /^insert into "publish_attempts" .* inner join jsonb_to_recordset/,
    why: 'attempts are written together, of many users',
    needs: 'a batch for each machine',
  },
  {
    is: /^select "id" from "posts" where "id" in \(.*\) and "deleted_at" is null for update skip locked$/,
    why: 'answers are written together, of many users',
    needs: 'a batch for each machine',
  },
  {
    is: /^select "post_id" from "post_schedules" where "post_id" in \(.*\) and "status" = /,
    why: 'the same, where they stand',
    needs: 'a batch for each machine',
  },
  {
    is: /^update publish_attempts set state = 'published', .* from jsonb_to_recordset/,
    why: 'the same, the attempts',
    needs: 'a batch for each machine',
  },
  {
    is: /^update "post_schedules" set "status" = .* from unnest\(/,
    why: 'the same, the posts',
    needs: 'a batch for each machine',
  },
  {
    is: /^select "posts"\.\*, "due_at", "is_manual" from "posts" inner join "post_schedules" .* where "post_schedules"\."due_at" is not null and "posts"\."id" = \$1 for update/,
    why: 'a job of a post knows its id alone',
    needs: 'the user in the job',
  },
  {
    is: /^select "id" as "post_id", "user_id" from "posts" where "id" = \$1 and "image_url" is not null$/,
    why: 'the same, to see whether it has a picture',
    needs: 'the user in the job',
  },
  {
    is: /^select "user_id", "content_creation_time", "next_run_at", .* for update skip locked$/,
    why: 'the tick takes whose posts are to be written',
    needs: 'next_run_at in a table of the first machine',
  },
  {
    is: /^select "user_id" from "generation_runs" where "id" = \$1$/,
    why: 'a job of a run knows its id alone',
    needs: 'the user in the job',
  },
  {
    is: /^(?:select|update|insert into) (?:.* from )?"generation_attempts" /,
    why: 'a try has its run and not its user',
    needs: 'user_id in generation_attempts',
  },
  {
    is: /^delete from "fact_uses" where "post_id" = \$1$/,
    why: 'where a fact was used is kept by the post',
    needs: 'user_id in fact_uses',
  },
  {
    is: /^select "user_id" from "posts" where "id" = \$1$/,
    why: 'a link in a mail names its post',
    needs: 'the user in the link',
  },
];

const DAY_MS = 86_400_000;
const plan = textOf('docs/capacity.md');
const outside = await startOutside();
const wire = await startWire(outside.url);

type Heard = Seen & { on: string; crossings: Crossing[] };

const oneLine = (text: string) => text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
const unique = (list: string[]) => [...new Set(list)].sort();

const namesIn = (text: string) => [...text.matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name!);
/** The names in the second cell of the row of the plan that begins with these words. */
const rowOf = (words: string) => namesIn(new RegExp(`^\\| ${words} \\|([^|]*)\\|`, 'm').exec(plan)![1]!);

/** The tables, by the columns of each. */
async function columnsIn(pool: pg.Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not like 'kysely%' group by 1`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

const SPREAD = rowOf('by user');
const layoutOf = (columns: Map<string, string[]>): Layout => ({
  columns,
  spread: new Map(SPREAD.map((table) => [table, 'user_id'])),
  local: new Set(rowOf('first machine')),
});

type During = (on: string, act: () => Promise<unknown>) => Promise<void>;

/** What people and programs do all day: somebody's posts are written and go out, and they look at them. */
async function useAll({ db, pool, actor, ...stage }: Stage, url: string, during: During): Promise<void> {
  await makeTopic(db, actor);
  const planned = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 2 * DAY_MS) });
  const due = [
    await stage.duePost(),
    await stage.duePost(),
    await stage.duePost(`${outside.url}/pictures/none`),
  ];
  const web = await startWeb({ databaseUrl: url });
  // The way is the same for every role.
  const { username } = new URL(stage.workerUrl);
  await stage.worker({}, undefined, Object.assign(new URL(url), { username }).href);
  const work = async (task: string) => {
    await pool.query('select graphile_worker.add_job($1)', [task]);
    await stage.allDone();
  };
  await during('publishing', () => work('tick-publishing'));
  const standing = await Promise.all(due.map(async (post) => (await stage.read(post)).post.status));
  assert.deepEqual(standing, ['published', 'published', 'failed']);
  await pool.query(`update automation_settings set next_run_at = now() - interval '1 minute'`);
  await during('planning', () => work('tick-writing'));
  const browser = await browserOf(db, actor, web.url);
  await during('writing', async () => {
    assert.equal((await browser.post('/app/generate', { count: '2' })).status, 302);
    await stage.allDone();
  });
  const written = await db.selectFrom('generationRuns').select('done').where('done', '=', 2).execute();
  assert.equal(written.length, 1);
  const pages = [
    '/app/dashboard',
    '/app/scheduled',
    '/app/scheduled?view=month',
    '/app/posts',
    '/app/topics',
  ];
  for (const page of pages)
    await during(page, async () => assert.equal((await browser.get(page)).status, 200));
  const token = await tokenOf(db, actor);
  const api = async (method: string, path: string, body?: object) =>
    during(`${method} ${path}`, async () => {
      assert.equal((await call(web.url, method, path, body, token)).status, 200, path);
    });
  const paths = [
    '/automation/posts',
    '/automation/scheduled',
    '/automation/stats',
    '/automation/settings',
    '/topics',
  ];
  for (const path of paths) await api('GET', path);
  await api('PUT', `/automation/posts/${planned}`, { content: 'A shorter plan gets read.' });
  await api('PUT', '/automation/settings', { requireApproval: true });
  await mailApprovalRequests(db);
  const [mail] = await mailsTo(db, actor.email, 'approvalAsked');
  await during('approving by mail', async () => {
    const { pathname, search } = new URL(mail!.posts[0]!.link);
    const stranger = new Browser(web.url);
    const [, revision] = /name="revision"[^>]*value="(\d+)"/.exec(await stranger.read(pathname + search))!;
    const answer = await stranger.post(`${pathname}/approve${search}`, { revision: revision! });
    assert.equal(answer.status, 302);
  });
}

test('what is asked again and again is about one user', async (t) => {
  const stage = await setStage(t, outside, wire);
  const layout = layoutOf(await columnsIn(stage.pool));
  const way = await listenOnTheWay(stage.url);
  const heard: Heard[] = [];
  await useAll(stage, way.url, async (on, act) => {
    way.take();
    await act();
    const statements = way.take();
    assert.ok(statements.length > 0, on);
    for (const seen of statements)
      heard.push({ ...seen, text: oneLine(seen.text), on, crossings: await crossings(seen, layout) });
  });
  t.diagnostic(
    `${heard.length} statements, ${new Set(heard.map(({ text }) => text)).size} of them different`,
  );
  const isNamed = ({ text }: Heard) => NAMED.some(({ is }) => is.test(text));
  const others = heard.filter((statement) => !isNamed(statement));

  await t.test('but for those that are named', () => {
    const crossing = others.flatMap(({ on, text, crossings }) =>
      crossings.filter(({ isByKey }) => !isByKey).map(({ what }) => `${on}: ${what}: ${text}`),
    );
    assert.deepEqual(unique(crossing), []);
  });

  await t.test('each of which is asked, and is about many', () => {
    const idle = NAMED.filter(
      ({ is }) =>
        !heard.some(({ text, crossings }) => is.test(text) && crossings.some((each) => !each.isByKey)),
    );
    assert.deepEqual(
      idle.map(({ why }) => why),
      [],
    );
  });

  await t.test('and the plan says which functions Citus lets in no update', async () => {
    const { rows } = await stage.pool.query<{ name: string }>(
      `select distinct proname as name from pg_proc where provolatile = 'v'`,
    );
    const isUpdate = new RegExp(`^(?:with .*)?update "?(?:${SPREAD.join('|')})"? `);
    const called = others
      .filter(({ text }) => isUpdate.test(text))
      .flatMap(({ text }) => [...text.matchAll(/\b(\w+)\(/g)].map(([, name]) => name!));
    const isVolatile = (name: string) => rows.some((row) => row.name === name);
    assert.deepEqual(unique(called.filter(isVolatile)), unique(rowOf('volatile in updates')));
  });

  await t.test('and the plan says which tables are joined by their keys alone', () => {
    const byKey = others.flatMap(({ crossings }) => crossings.map(({ what }) => what.split(' ')[0]!));
    assert.deepEqual(unique(byKey), unique(rowOf('joined by key alone')));
  });
});

test('a statement that has lost its user is told from one that has it', async () => {
  const layout: Layout = {
    columns: new Map([
      ['posts', ['id', 'user_id', 'content']],
      ['post_schedules', ['post_id', 'user_id', 'due_at']],
      ['users', ['id', 'email']],
      ['mails', ['id', 'user_id']],
    ]),
    spread: new Map([
      ['posts', 'user_id'],
      ['post_schedules', 'user_id'],
    ]),
    local: new Set(['mails']),
  };
  const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()];
  const judge = async (text: string, ...values: string[]) =>
    (await crossings({ text, values }, layout)).map(({ what, isByKey }) =>
      isByKey ? `by key: ${what}` : what,
    );
  const one = [
    'select * from posts where user_id = $1 and id = $2',
    'select * from posts p join post_schedules d on d.post_id = p.id and d.user_id = p.user_id where p.user_id = $1',
    'select * from users u, posts p where p.user_id = u.id and u.id = $1::uuid',
    'select * from posts p left join post_schedules d on d.user_id = p.user_id where p.user_id = $1',
    'select (select count(*) from post_schedules d where d.user_id = p.user_id) from posts p where p.user_id = $1',
    'select 1 from users where not exists (select from posts where user_id = $1 and content is null)',
    'update post_schedules d set due_at = null from posts where posts.user_id = d.user_id and d.user_id = $1',
    'with gone as (delete from posts where user_id = $1 returning id) select * from gone',
    'insert into posts (id, user_id) values ($2, $1), ($2, $1)',
    'insert into post_schedules (post_id, user_id) select id, user_id from posts where user_id = $1',
    'select * from mails where user_id = $1',
  ];
  for (const text of one) assert.deepEqual(await judge(text, ada, bob), [], text);
  const many = [
    'select * from posts where id = $1',
    'select * from posts where user_id <> $1',
    'select * from posts where user_id = $1 or id = $2',
    'select * from posts where user_id in ($1, $2)',
    'select * from posts where user_id = any($1)',
    'select * from post_schedules d left join posts on posts.user_id = $1 and posts.id = d.post_id',
    'select * from posts where exists (select from users where posts.user_id = $1)',
    'with own as (select * from posts) select * from own where user_id = $1',
    'insert into posts (id, user_id) values ($2, $1), ($1, $2)',
    'insert into posts (id) values ($2)',
    'delete from posts using users where users.id = $1',
  ];
  for (const text of many)
    assert.match((await judge(text, ada, bob)).join(), /^(?:posts|post_schedules) of more/, text);
  assert.deepEqual(
    await judge('select * from posts p, post_schedules d where p.user_id = $1 and d.user_id = $2', ada, bob),
    ['two users'],
  );
  assert.deepEqual(await judge('select * from posts, mails where posts.user_id = $1', ada), [
    'mails stands elsewhere',
  ]);
  assert.deepEqual(
    await judge('select * from posts p join post_schedules d on d.post_id = p.id where p.user_id = $1', ada),
    ['by key: post_schedules of more than one user'],
  );
});

test('the plan says of every table where it stands, and what its constraints lack for that', async (t) => {
  const { pool } = await testDatabase();
  const columns = await columnsIn(pool);
  const places = [SPREAD, rowOf('everywhere'), rowOf('first machine')];
  assert.deepEqual(places.flat().sort(), [...columns.keys()].sort());
  const isSpread = (table: string) => SPREAD.includes(table);
  const hasUser = SPREAD.filter((table) => columns.get(table)!.includes('user_id'));
  assert.deepEqual(unique(SPREAD.filter((table) => !hasUser.includes(table))), unique(rowOf('no user_id')));

  const { rows: empty } = await pool.query<{ of: string }>(
    `select attrelid::regclass::text as of from pg_attribute a join pg_class c on c.oid = attrelid
     where attname = 'user_id' and not attnotnull and relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  assert.deepEqual(
    empty.filter(({ of }) => isSpread(of)),
    [],
    'a row of nobody would stand on no machine',
  );

  const { rows: keys } = await pool.query<{ of: string; name: string; columns: string[] }>(
    `select t.relname as of, i.relname as name,
       array(select attname::text from pg_attribute where attrelid = t.oid and attnum = any(x.indkey)) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  );
  const lacking = keys.filter((key) => isSpread(key.of) && !key.columns.includes('user_id'));
  assert.deepEqual(unique(lacking.map(({ name }) => name)), unique(rowOf('unique without the user')));

  const { rows: links } = await pool.query<{ of: string; to: string; name: string; columns: string[] }>(
    `select c.conrelid::regclass::text as of, c.confrelid::regclass::text as to, conname as name,
       array(select attname::text from pg_attribute where attrelid = c.conrelid and attnum = any(conkey)) as columns
     from pg_constraint c where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  const apart = links.filter(
    ({ of, to, columns }) => isSpread(to) && !(isSpread(of) && columns.includes('user_id')),
  );
  assert.deepEqual(unique(apart.map(({ name }) => name)), unique(rowOf('foreign without the user')));
  const far = links.filter(({ of, to }) => isSpread(of) && places[2]!.includes(to));
  assert.deepEqual(far, [], 'what is spread refers to nothing on the first machine');

  const { rows: triggers } = await pool.query<{ of: string; name: string }>(
    `select tgrelid::regclass::text as of, tgname as name from pg_trigger
     where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  );
  const acting = triggers.filter(({ of }) => isSpread(of) || places[1]!.includes(of));
  assert.deepEqual(unique(acting.map(({ name }) => name)), unique(rowOf('triggers')));
  t.diagnostic(`${lacking.length} unique, ${apart.length} foreign, ${acting.length} triggers`);
});
