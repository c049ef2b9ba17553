import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createDatabase } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { PictureInput } from '#app/domain/posts/schema.ts';
import { findAltTextFaults, saysNoImage, tidyAltText } from '#app/domain/writing/alt-text/alt-text.ts';
import { suggestAltText } from '#app/domain/writing/alt-text/suggest.ts';
import { FREE_CALLS_A_DAY_MAX } from '#app/domain/writing/limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { png } from '#tests/fixtures/pictures.ts';
import { makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { soon, until } from '#tests/harness/worker/until.ts';

process.env.ALLOW_PRIVATE_IMAGES = '1';
const outside = await startOutside();
const wire = await startWire(outside.url);
process.env.OPENAI_BASE_URL = `${wire.url}/openai/v1`;
const { db, url } = await testDatabase();
const stalled: (() => void)[] = [];
const web = await serve((req, res) => {
  if (req.url === '/pier.png') return res.end(png(640, 400));
  if (req.url === '/slow.png') return stalled.push(() => res.end(png(640, 400)));
  if (req.url === '/words.png') return res.end('<h1>No picture</h1>');
  return res.writeHead(404).end();
});
const imageUrl = `${web}/pier.png`;
const CALL = 'POST /openai/v1/chat/completions';
const CONTENT = 'Our pier has one rule that we never break, and it is painted on the board at the end.';

beforeEach(async () => {
  await db.deleteFrom('operatorAlerts').execute();
});

async function author() {
  const actor = await makeUser(db);
  const dueAt = new Date(Date.now() + 86_400_000);
  return { actor, postId: await makeScheduledPost(db, actor, { content: CONTENT, dueAt }) };
}

const suggest = (actor: Actor, postId: string, input: object = {}, options = {}) =>
  suggestAltText(
    db,
    actor,
    { ...PictureInput.parse({ content: CONTENT, imageUrl, ...input }), postId },
    options,
  );

const callsOf = async ({ userId }: Actor) => {
  const columns = ['calls', 'inputTokens'] as const;
  return db.selectFrom('writerCalls').select(columns).where('userId', '=', userId).executeTakeFirst();
};
const faults = async () =>
  (await db.selectFrom('operatorAlerts').select(['key', 'message']).execute()).map(
    ({ key, message }) => `${key}: ${message}`,
  );

async function refused(asked: Promise<unknown>, status: number, field: string, words: RegExp) {
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.deepEqual([error.status, error.field], [status, field]);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /[.!]$/);
    return true;
  });
}

test('the writer is shown the picture, counted, and nothing of the post changes', async () => {
  const { actor, postId } = await author();
  const before = await readPost(db, postId);
  assert.equal(await suggest(actor, postId), 'A wide frame of 640 by 400 pixels');
  assert.deepEqual(await readPost(db, postId), before);
  const { calls, inputTokens } = (await callsOf(actor))!;
  assert.equal(calls, 1);
  assert.ok(Number(inputTokens) > 1_000, inputTokens);
});

test('a description is in the language of the post', async () => {
  const { actor, postId } = await author();
  const content =
    'Unser Steg hat nur eine Regel, und sie steht auf dem Brett, das alle lesen, die auf ihm gehen.';
  assert.equal(await suggest(actor, postId, { content }), 'Ein breiter Rahmen von 640 mal 400 Pixeln');
  const hindi = 'हमारे घाट पर एक ही नियम है और वह उस पट्टी पर लिखा है जो सब के सामने है।';
  assert.equal(await suggest(actor, postId, { content: hindi }), 'एक चौड़ा फ़्रेम, 640 गुणा 400 पिक्सेल');
});

test('what a description must not be goes back once, and is refused the second time', async () => {
  const { actor, postId } = await author();
  for (const kind of ['writer.obeys', 'writer.markdown']) {
    await outside.fault(kind);
    assert.equal(await suggest(actor, postId), 'A wide frame of 640 by 400 pixels', kind);
    await outside.fault(kind, { times: 2 });
    await refused(suggest(actor, postId), 502, 'altText', /no good words.*You can describe/);
  }
  assert.equal((await callsOf(actor))!.calls, 8);
  await outside.fault('writer.image-of');
  assert.equal(await suggest(actor, postId), 'A wide frame of 640 by 400 pixels');
});

test('a writer without eyes is told to its user and to the operator, until it has some', async () => {
  const { actor, postId } = await author();
  await outside.fault('writer.blind');
  await refused(suggest(actor, postId), 502, 'altText', /does not look at pictures here/);
  assert.match(
    (await faults()).join(),
    /^writer-pictures: gpt-5-mini does not look at pictures\. .*OPENAI_MODEL/,
  );
  await suggest(actor, postId);
  assert.deepEqual(await faults(), []);
  await outside.fault('writer.sees-nothing');
  await refused(suggest(actor, postId), 502, 'altText', /sees nothing in this picture\. You can describe/);
  const [said] = await faults();
  assert.match(said!, /says that it sees no picture\. If it says so of every picture, OPENAI_MODEL/);
  assert.doesNotMatch(said!, /nobody/, 'one picture may be to blame');
  await suggest(actor, postId);
  await outside.fault('writer.bad-picture');
  await refused(suggest(actor, postId), 502, 'altText', /cannot read this picture/);
  assert.deepEqual(await faults(), []);
});

test('each failure of the writer is a sentence of its own', async () => {
  const { actor, postId } = await author();
  for (const [kind, status, words] of [
    ['writer.refusal', 502, /declined to describe/],
    ['writer.policy', 502, /declined to describe/],
    ['writer.content-filter', 502, /declined to describe/],
    ['writer.context', 502, /too large for the writer/],
    ['writer.wrong-keys', 502, /could not be read/],
    ['writer.html', 503, /did not answer/],
    ['writer.500', 503, /did not answer/],
    ['writer.429', 503, /did not answer/],
    ['writer.404-model', 502, /cannot be asked at the moment/],
  ] as const) {
    await outside.fault(kind);
    await refused(suggest(actor, postId), status, 'altText', words);
  }
  assert.match(
    (await faults()).join(),
    /writer-pictures: No description of a picture: The writer has no model/,
  );
});

test('a writer that hangs, and a user who goes away, end the wait', async () => {
  const { actor, postId } = await author();
  const begun = performance.now();
  await outside.fault('writer.hang');
  await refused(suggest(actor, postId, {}, { withinMs: 2_000 }), 503, 'altText', /did not answer/);
  const leaving = new AbortController();
  await outside.fault('writer.hang');
  const asked = suggest(actor, postId, {}, { disconnected: leaving.signal });
  while ((await callsOf(actor))!.calls < 2) await new Promise(setImmediate);
  leaving.abort();
  await refused(asked, 503, 'altText', /did not answer/);
  assert.ok(performance.now() - begun < 20_000);
  assert.equal(await suggest(actor, postId), 'A wide frame of 640 by 400 pixels');
});

test('a database that is away when the writer has answered takes no description away', async () => {
  const { actor, postId } = await author();
  const way = await wayTo(url);
  const far = createDatabase(way.url, 2);
  far.pool.options.allowExitOnIdle = true;
  const answer = wire.hold('after', CALL);
  const asked = suggestAltText(far.db, actor, {
    ...PictureInput.parse({ content: CONTENT, imageUrl }),
    postId,
  });
  await soon('the writer has answered', answer.held);
  way.cut();
  answer.open();
  await until('the database is missed', () => way.countRefused() > 0);
  way.mend();
  assert.equal(await asked, 'A wide frame of 640 by 400 pixels');
  assert.ok((await callsOf(actor))!.inputTokens !== '0', 'and what it cost is counted');
});

test('a picture that cannot be had is told before the writer is asked', async () => {
  const { actor, postId } = await author();
  await refused(suggest(actor, postId, { imageUrl: `${web}/gone.png` }), 422, 'imageUrl', /answers 404/);
  await refused(suggest(actor, postId, { imageUrl: `${web}/words.png` }), 422, 'imageUrl', /not a JPEG/);
  await withEnv({ ALLOW_PRIVATE_IMAGES: false }, () =>
    refused(suggest(actor, postId), 422, 'imageUrl', /https/),
  );
  assert.equal(await callsOf(actor), undefined);
});

test('the ceilings hold', async () => {
  const { actor, postId } = await author();
  await suggest(actor, postId);
  await db
    .updateTable('writerCalls')
    .set({ calls: FREE_CALLS_A_DAY_MAX })
    .where('userId', '=', actor.userId)
    .execute();
  await refused(suggest(actor, postId), 429, 'altText', /without a plan/);
});

test("nobody has a picture looked at twice at once, and nobody's post but their own is asked about", async () => {
  const { actor, postId } = await author();
  const slow = suggest(actor, postId, { imageUrl: `${web}/slow.png` });
  while (stalled.length === 0) await new Promise(setImmediate);
  await refused(suggest(actor, postId), 429, 'altText', /already/);
  for (const go of stalled.splice(0)) go();
  assert.match(await slow, /640 by 400/);
  const other = await makeUser(db);
  for (const id of [postId, 'no-id', '00000000-0000-4000-8000-000000000000']) {
    await assert.rejects(suggest(other, id), /This post was not found/);
  }
});

test('accounts whose pictures take for ever leave a place for whoever comes after them', async () => {
  const slow = Array.from({ length: 4 }, async () => {
    const { actor, postId } = await author();
    return suggest(actor, postId, { imageUrl: `${web}/slow.png` }).catch(({ code }) => code as string);
  });
  const ended = new Map<number, string>();
  slow.forEach((each, nth) => void each.then((said) => ended.set(nth, said)));
  await until('all places are taken', () => stalled.length + ended.size === 4);
  const { actor, postId } = await author();
  await until('somebody has come in', async () =>
    /640 by 400/.test(await suggest(actor, postId).catch(() => 'not yet')),
  );
  assert.deepEqual([...ended.values()], ['busy'], 'one of them had to go, and only that one');
  for (const go of stalled.splice(0)) go();
  const said = await Promise.all(slow);
  assert.equal(said.filter((each) => /640 by 400/.test(each)).length, 3);
});

test('more pictures than may be in memory at once wait for their turn, and who leaves the line frees it', async () => {
  const asked = wire.hold('before', CALL);
  const first = Array.from({ length: 3 }, async () => {
    const { actor, postId } = await author();
    return suggest(actor, postId);
  });
  await soon('the writer is asked', asked.held);
  const leaving = new AbortController();
  const [left, stays] = [await author(), await author()];
  const gone = suggest(left.actor, left.postId, {}, { disconnected: leaving.signal });
  const waits = suggest(stays.actor, stays.postId);
  leaving.abort();
  await refused(gone, 503, 'altText', /did not answer/);
  assert.equal(await callsOf(left.actor), undefined);
  asked.open();
  for (const each of [...first, waits]) assert.match(await each, /640 by 400/);
});

test('a description is one plain line', () => {
  assert.ok(saysNoImage('I cannot see the image you mention.') && saysNoImage('No image was provided.'));
  assert.ok(!saysNoImage('Two people look at a chart that nobody can see.'));
  assert.equal(tidyAltText('  "An image of a pier\n at dawn."  '), 'A pier at dawn.');
  assert.equal(tidyAltText('The photo shows two people\u202e.'), 'Two people.');
  for (const whole of ['“Two cups”', '„Two cups“', '« Two cups »', '«Two cups»', '»Two cups«']) {
    assert.equal(tidyAltText(whole), 'Two cups');
  }
  assert.equal(tidyAltText('A sign says “Closed”'), 'A sign says “Closed”');
  for (const honest of [
    'A wooden pier with a board at its end, seen from the water.',
    'Line chart of weekly calls, falling from 40 to 12 between March and June.',
    'Photo frame on a desk beside an open notebook.',
    'Two people at a table; a note reads “five minutes”.',
  ]) {
    assert.deepEqual(findAltTextFaults(tidyAltText(honest), CONTENT), [], honest);
  }
  for (const [bad, words] of [
    ['', /says nothing/],
    ['…', /says nothing/],
    ['A pier. '.repeat(60), /more than 400/],
    ['A pier, see https://evil.example/x', /link/],
    ['A pier <script>alert(1)</script>', /HTML/],
    ['A **pier** at dawn', /Markdown/],
    ['Ein Foto von einem Steg am Morgen', /says that it is a picture/],
    ['Sur la photo, un ponton', /says that it is a picture/],
    ["Sure! Here's a description: a pier", /announces itself/],
    ['As an AI, I see a pier', /as a model/],
    ['Ein Steg, auf dem ein Brett mit einer Regel steht, und daneben ist das Wasser', /language/],
    [
      'No hashtags, no links, no Markdown, no HTML, no quotation marks around it, no word to the person who asked.',
      /repeats the instructions/,
    ],
  ] as const) {
    assert.match(findAltTextFaults(tidyAltText(bad), CONTENT).join('\n'), words, bad);
  }
});

test('of a description that is far too long nothing more is read', () => {
  for (const part of ['<a', '<!', 'a@', 'https://']) {
    const faults = findAltTextFaults(tidyAltText(part.repeat(25_000 / part.length)), CONTENT);
    assert.equal(faults.length, 1, part);
    assert.match(faults[0]!, /more than 400/, part);
  }
});
