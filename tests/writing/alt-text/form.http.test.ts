import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cpuSeconds, mostResidentBytes, residentBytes } from '#bench/measure/figures.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { jpeg, png } from '#tests/fixtures/pictures.ts';
import { makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

let database: TestDatabase;
let url: string;
let web: Web;
const outside = await startOutside();
/** Small files: of these sizes no picture can be unpacked. */
const BOMBS: Record<string, Buffer> = {
  'huge.png': png(2 ** 31 - 1, 2 ** 31 - 1),
  'wide.png': png(100_000, 100_000),
  'huge.jpg': jpeg(65_535, 65_535),
  'huge.webp': Buffer.from('524946461a000000574542505650384c0d0000002fffffff0f', 'hex'),
  'packed.png': gzipSync(Buffer.alloc(50_000_000)),
};
/** A whole picture, and as many bytes behind it as are taken. */
const LARGE = Buffer.concat([png(640, 400), Buffer.alloc(8 * 1024 * 1024 - 100)]);
const pictures = await serve((req, res) => {
  if (req.url === '/large.png') return res.end(LARGE);
  const bomb = BOMBS[req.url!.slice(1)];
  if (bomb) return res.end(bomb);
  return req.url === '/pier.png' ? res.end(png(640, 400)) : res.writeHead(404).end();
});
const imageUrl = `${pictures}/pier.png`;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { ALLOW_PRIVATE_IMAGES: '1' } });
  url = web.url;
});

const CONTENT = 'Our pier has one rule that we never break, and it is painted on the board at the end.';

async function editor(origin = url) {
  const { db } = database;
  const actor = await makeUser(db);
  const dueAt = new Date(Date.now() + 86_400_000);
  const id = await makeScheduledPost(db, actor, { content: CONTENT, dueAt });
  const browser = await browserOf(db, actor, origin);
  const page = await browser.read(`/app/scheduled?edit=${id}`);
  const [, to, at] = /formAction="([^"#]*)#([^"]*)"/i.exec(page)!;
  assert.match(page, new RegExp(`<textarea[^>]* id="${at}"`));
  const typed = {
    revision: '0',
    content: `${CONTENT} <Typed>`,
    imageUrl,
    altText: 'Mine',
    hashtags: 'Piers',
  };
  const press = (change: object = {}, more = '') =>
    browser.post(`/app/scheduled${to!.replaceAll('&amp;', '&')}${more}`, { ...typed, ...change });
  return { db, id, browser, press };
}

const fieldIn = (page: string, name: string) =>
  new RegExp(`<(?:textarea|input)[^>]*name="${name}"[^>]*?(?:value="([^"]*)"[^>]*)?>([^<]*)`)
    .exec(page)!
    .slice(1)
    .find(Boolean);

test('without scripts the form comes back with the suggestion and all that was typed, and nothing is saved', async () => {
  const { db, id, press } = await editor();
  const before = await readPost(db, id);
  const answer = await press();
  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.equal(fieldIn(page, 'altText'), 'A wide frame of 640 by 400 pixels');
  assert.match(fieldIn(page, 'content')!, /&lt;Typed&gt;$/);
  assert.equal(fieldIn(page, 'imageUrl'), imageUrl);
  assert.equal(fieldIn(page, 'hashtags'), 'Piers');
  assert.match(page, /A description is suggested\. Read it, and save the post to keep it/);
  assert.deepEqual(await readPost(db, id), before);
});

test('what goes wrong stands beside its field, with what was typed', async () => {
  const { db, id, press } = await editor();
  const before = await readPost(db, id);
  const gone = await press({ imageUrl: imageUrl.replace('pier', 'gone') });
  const page = await gone.text();
  assert.equal(gone.status, 422);
  assert.match(page, /imageUrl-error[\s\S]*The picture could not be loaded from its address: it answers 404/);
  assert.equal(fieldIn(page, 'altText'), 'Mine');
  assert.match(fieldIn(page, 'content')!, /&lt;Typed&gt;$/);
  for (const [change, words] of [
    [{ imageUrl: '' }, /Please give the address of the picture first/],
    [{ imageUrl: 'javascript:alert(1)' }, /Invalid image URL/],
  ] as const) {
    const refused = await press(change);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), words);
  }
  await outside.fault('writer.500');
  const busy = await press();
  assert.equal(busy.status, 503);
  assert.match(await busy.text(), /The writer did not answer\. Please try again in a moment/);
  assert.deepEqual(await readPost(db, id), before);
});

test('a web process that is asked to end while the writer looks at a picture says what it saw first', async () => {
  const wire = await startWire(outside.url);
  const ending = await startWeb({
    databaseUrl: database.url,
    env: { ALLOW_PRIVATE_IMAGES: '1', OPENAI_BASE_URL: `${wire.url}/openai/v1` },
  });
  const { press } = await editor(ending.url);
  const asked = wire.hold('before', 'POST /openai/v1/chat/completions');
  const answer = press();
  await soon('the writer is asked', asked.held);
  const ended = ending.end('SIGTERM');
  await until('nothing new is taken', () =>
    fetch(`${ending.url}/health`).then(
      () => false,
      () => true,
    ),
  );
  asked.open();
  assert.equal(fieldIn(await (await answer).text(), 'altText'), 'A wide frame of 640 by 400 pixels');
  assert.equal(await ended, 0);
});

test('small files that say they are huge pictures are unpacked by nobody here, and those of other kinds are refused', async () => {
  const { db, id, press } = await editor();
  const before = await readPost(db, id);
  await (await press()).text();
  const cpu = cpuSeconds(web.pid);
  for (const name of Object.keys(BOMBS)) {
    const answer = await press({ imageUrl: `${pictures}/${name}` });
    const isPicture = /png|jpg/.test(name) && name !== 'packed.png';
    assert.ok((isPicture ? [200, 502] : [422]).includes(answer.status), `${name}: ${answer.status}`);
    const page = await answer.text();
    if (!isPicture) assert.match(page, /What stands at this address is not a JPEG, PNG or GIF picture/, name);
  }
  assert.ok(cpuSeconds(web.pid) - cpu < 1);
  assert.deepEqual(await readPost(db, id), before);
});

test('twelve pictures of 8 MB that are described at once leave a web process below 420 MB', async (t) => {
  const own = await startWeb({ databaseUrl: database.url, env: { ALLOW_PRIVATE_IMAGES: '1' } });
  let waiting = await Promise.all(Array.from({ length: 12 }, () => editor(own.url)));
  const rest = residentBytes(own.pid);
  const isDescribed = async ({ press }: Awaited<ReturnType<typeof editor>>) => {
    const answer = await press({ imageUrl: `${pictures}/large.png` });
    const page = await answer.text();
    if (answer.status === 503) assert.match(page, /Many pictures are looked at just now/);
    else assert.equal(fieldIn(page, 'altText'), 'A wide frame of 640 by 400 pixels');
    return answer.status === 200;
  };
  for (let round = 1; waiting.length > 0; round += 1) {
    assert.ok(round <= 12, 'there is no room for the last ones');
    const described = await Promise.all(waiting.map(isDescribed));
    waiting = waiting.filter((_, nth) => !described[nth]);
  }
  const most = mostResidentBytes(own.pid);
  t.diagnostic(`${Math.round(rest / 1e6)} MB, then ${Math.round(most / 1e6)} MB at most`);
  assert.ok(most < 420e6, `${Math.round(most / 1e6)} MB`);
});

test('who presses all the time is asked to wait', async () => {
  const { press } = await editor();
  const statuses = [];
  for (let pressed = 0; pressed < 31; pressed += 1) {
    const answer = await press({ imageUrl: imageUrl.replace('pier', 'gone') });
    statuses.push(answer.status);
    await answer.body?.cancel();
  }
  assert.deepEqual([statuses.at(-2), statuses.at(-1)], [422, 429]);
});
