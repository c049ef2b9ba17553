import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { failureText } from '#app/domain/posts/failures.ts';
import { failureSentence, skippedSentence } from '#app/domain/writing/generate/bad-outputs.ts';
import { POST_VERBS, postAddress } from '#app/routes/actions.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let origin: string;
before(async () => {
  origin = (await startWeb({ databaseUrl })).url;
});

const signIn = (actor: Actor) => browserOf(db, actor, origin);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

test('an admin is led from the dashboard to the admin page', async () => {
  const browser = await signIn(await makeUser(db, { isAdmin: true }));
  const answer = await browser.get('/app/dashboard');
  assert.equal(answer.headers.get('Location'), '/app/admin');
});

test('a new user finds three steps to do, and Generate now once there is a topic', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const empty = await browser.read('/app/dashboard');
  assert.ok(empty.includes('0 of 3 steps done') && !empty.includes('action="/app/generate"'));
  await makeTopic(db, actor);
  const begun = await browser.read('/app/dashboard');
  assert.ok(begun.includes('1 of 3 steps done') && begun.includes('action="/app/generate"'));
});

test('25 posts stand on a page of the queue, and the rest on the next', async () => {
  const actor = await makeUser(db);
  for (let day = 1; day <= 27; day++)
    await makeScheduledPost(db, actor, { content: `Number ${day}.`, dueAt: inDays(day) });
  const browser = await signIn(actor);
  const first = await browser.read('/app/scheduled');
  assert.ok(first.includes('Number 25.') && !first.includes('Number 26.'));
  const next = /href="(\/app\/scheduled)?(\?cursor=[^"]+)"/.exec(first)![2]!;
  const second = await browser.read(`/app/scheduled${next}`);
  assert.ok(second.includes('Number 26.') && second.includes('Number 27.') && !second.includes('Number 25.'));
});

test('an address that opens a post leads to the page of the queue on which it stands', async () => {
  const actor = await makeUser(db);
  const ids = [];
  for (let day = 1; day <= 27; day++)
    ids.push(await makeScheduledPost(db, actor, { content: `Number ${day}.`, dueAt: inDays(day) }));
  const html = mainOf(await (await signIn(actor)).read(`/app/scheduled?open=${ids[26]}`));
  assert.match(html, new RegExp(`id="post-${ids[26]}"[^]*?<details open="">`));
  assert.ok(!html.includes('Number 1.'));
});

test('a post of the history that waits for approval is approved there', async () => {
  const actor = await makeUser(db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const browser = await signIn(actor);
  const list = '/app/posts?status=pending';
  const approving = new RegExp(`action="/app/posts/${id}/approve"`);
  assert.doesNotMatch(await browser.read('/app/posts'), approving);
  await standAs(db, id, { status: 'pending' });
  const html = mainOf(await browser.read(list));
  assert.match(html, approving);
  const approved = await browser.post(`/app/posts/${id}/approve`, { from: list, revision: '0' });
  assert.equal(approved.headers.get('Location'), list);
  assert.match(await browser.read(list), /Post approved/);
});

test('while posts are being written the queue says so, and comes anew unless somebody edits', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const read = async (search = '') => mainOf(await browser.read(`/app/scheduled${search}`));
  const isRenewed = (html: string) => /http-equiv="refresh"/i.test(html);
  const run = await db
    .insertInto('generationRuns')
    .values({ userId: actor.userId, status: 'running', requested: 3, done: 1, createdAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const empty = await read();
  assert.match(empty, /Writing 2 of 3/);
  assert.ok(!empty.includes('No scheduled posts') && isRenewed(empty));
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  assert.ok(isRenewed(await read()));
  const editing = await read(`?edit=${id}`);
  assert.match(editing, /Writing 2 of 3/);
  assert.ok(!isRenewed(editing), 'what is typed without scripts would be lost');
  await db.updateTable('generationRuns').set({ status: 'complete' }).where('id', '=', run.id).execute();
  const over = await read();
  assert.ok(!over.includes('Writing 2') && !isRenewed(over));
});

test('a run that wrote nothing says so, and why', async () => {
  const actor = await makeUser(db);
  await makeTopic(db, actor);
  const over = { status: 'complete' as const, requested: 3, done: 0, failed: 3, error: 'You stopped it' };
  const { id } = await db
    .insertInto('generationRuns')
    .values({ userId: actor.userId, createdAt: new Date(), finishedAt: new Date(), ...over })
    .returning('id')
    .executeTakeFirstOrThrow();
  const words = wordsOf(await (await signIn(actor)).read(`/app/dashboard?run=${id}`));
  assert.match(words, /No post was written You stopped it\./);
  assert.doesNotMatch(words, /0 of 3/);
});

test('what can be mended in a topic leads to the topics, from the card and from the page of another day', async () => {
  const actor = await makeUser(db);
  await makeTopic(db, actor);
  const browser = await signIn(actor);
  const over = { status: 'complete' as const, requested: 1, createdAt: new Date(), finishedAt: new Date() };
  const read = async (run: { error: string; done: number; failed: number }) => {
    const { id } = await db
      .insertInto('generationRuns')
      .values({ userId: actor.userId, ...over, ...run })
      .returning('id')
      .executeTakeFirstOrThrow();
    const pages = [await browser.read(`/app/dashboard?run=${id}`), await browser.read('/app/dashboard')];
    await db.deleteFrom('generationRuns').where('id', '=', id).execute();
    return pages.map((html) => mainOf(html).match(/href="[^"]*"[^>]*>(Open Topics|Read )/g) ?? []);
  };
  const found = { problem: 'the writer declined to write about it', cause: 'subject' } as const;
  const refused = { error: failureSentence('Saying no', found), done: 0, failed: 1 };
  const [card, alert] = await read(refused);
  assert.deepEqual([card!.length, alert!.length], [1, 1]);
  assert.match(card![0]!, /href="\/app\/topics"[^>]*>Open Topics/);
  const other = await read({ error: skippedSentence('Saying no', found), done: 1, failed: 0 });
  assert.match(other[0]!.join(), /scheduled.*Read .*topics.*Open Topics/s);
  const away = await read({ error: 'The writer was not available', done: 0, failed: 1 });
  assert.deepEqual(away, [[], []]);
});

test('a refused edit keeps what was typed beside its errors; a good one leads back to the list', async () => {
  const actor = await makeUser(db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const browser = await signIn(actor);
  const fields = { content: 'Nearly done', imageUrl: 'no address', hashtags: 'One' };
  const refused = await browser.post(`/app/scheduled?edit=${id}`, fields);
  assert.equal(refused.status, 422);
  const html = await refused.text();
  assert.ok(
    html.includes('Invalid image URL') && html.includes('Nearly done') && html.includes('no address'),
  );
  const saved = await browser.post(`/app/scheduled?edit=${id}&status=failed`, { ...fields, imageUrl: '' });
  assert.equal(saved.headers.get('Location'), '/app/scheduled?status=failed');
  assert.ok((await browser.read('/app/scheduled')).includes('Post updated successfully!'));
});

test('a text that was changed meanwhile is not overwritten unasked; saved again, it is', async () => {
  const actor = await makeUser(db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const browser = await signIn(actor);
  const address = `/app/scheduled?edit=${id}`;
  const revisionIn = (html: string) => /name="revision" value="(\d+)"/.exec(html)![1]!;
  const opened = revisionIn(await browser.read(address));
  const typed = { imageUrl: '', hashtags: '', revision: opened };
  await browser.post(address, { ...typed, content: 'From one tab.' });
  const refused = await browser.post(address, { ...typed, content: 'From the other tab.' });
  assert.equal(refused.status, 409);
  const html = await refused.text();
  assert.ok(html.includes('This post was changed elsewhere') && html.includes('From the other tab.'));
  const again = { ...typed, content: 'From the other tab.', revision: revisionIn(html) };
  assert.equal((await browser.post(address, again)).status, 302);
  assert.ok((await browser.read('/app/scheduled')).includes('From the other tab.'));
});

test('a page says nothing again of a query that is none of ours', async () => {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  const ids = [];
  for (let day = 1; day <= 26; day++) ids.push(await makeScheduledPost(db, actor, { dueAt: inDays(day) }));
  const browser = await signIn(actor);
  const long = 'x'.repeat(2_000);
  const query = ['status', 'edit', 'acknowledge', 'watch', 'turn', 'anything'].map(
    (name) => `${name}=${long}`,
  );
  for (const page of ['/app/scheduled', '/app/posts']) {
    assert.ok(!(await browser.read(`${page}?${query.join('&')}`)).includes('xxxx'), page);
  }
  const fields = { content: 'Said anew', imageUrl: '', hashtags: '' };
  const saved = await browser.post(`/app/scheduled?edit=${ids[0]}&status=${long}`, fields);
  assert.equal(saved.headers.get('Location'), '/app/scheduled');
  const from = `/app/posts?status=${'x'.repeat(100)}&cursor=${'x'.repeat(200)}`;
  const sent = await browser.post(`/app/posts/${ids[0]}/publish`, { from });
  assert.equal(sent.headers.get('Location'), `/app/posts?watch=${ids[0]}`);
});

test('a list of one status goes on with that status, and its links keep the place', async () => {
  const actor = await makeUser(db);
  for (let day = 1; day <= 26; day++) await makeScheduledPost(db, actor, { dueAt: inDays(day) });
  const browser = await signIn(actor);
  const first = await browser.read('/app/posts?status=generated');
  const [, next] = /href="(?:\/app\/posts)?(\?status=generated&amp;cursor=[^"]+)"/.exec(first)!;
  const second = await browser.read(`/app/posts${next!.replaceAll('&amp;', '&')}`);
  assert.ok(second.includes(`${next}&amp;confirm-delete=`));
});

test('the description of a picture is written on the edit form and shown with the picture', async () => {
  const actor = await makeUser(db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const browser = await signIn(actor);
  const fields = { content: 'A walk', imageUrl: 'https://example.com/pier.png', hashtags: '' };
  const long = await browser.post(`/app/scheduled?edit=${id}`, { ...fields, altText: 'x'.repeat(5_000) });
  assert.equal(long.status, 422);
  assert.ok((await long.text()).includes('The picture description can have at most 4,086 characters'));
  await browser.post(`/app/scheduled?edit=${id}`, { ...fields, altText: 'A pier at dawn' });
  assert.match(await browser.read('/app/scheduled'), /<img[^>]*alt="A pier at dawn"/);
  const form = await browser.read(`/app/scheduled?edit=${id}`);
  assert.match(form, /<textarea[^>]*name="altText"[^>]*>A pier at dawn</);
  assert.ok(form.includes('Picture description'));
});

test('a deleted post leads back to the list it was deleted from, and nowhere else', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  for (const [from, back] of [
    ['/app/posts?status=failed', '/app/posts?status=failed'],
    ['https://elsewhere.example/app/posts', '/app/scheduled'],
  ] as const) {
    const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
    const answer = await browser.post(`/app/posts/${id}/delete`, { from });
    assert.equal(answer.headers.get('Location'), back);
  }
  assert.ok((await browser.read('/app/posts')).includes('Post deleted successfully!'));
});

test('a post can be deleted by its address although newer ones fill the page', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const id = await makeScheduledPost(db, actor, { content: 'The oldest words.', dueAt: inDays(1) });
  for (let newer = 0; newer < 25; newer += 1)
    await makeScheduledPost(db, actor, { dueAt: inDays(2 + newer) });
  assert.ok(!(await browser.read('/app/posts')).includes('The oldest words.'));
  const page = await browser.read(`/app/posts?confirm-delete=${id}`);
  assert.ok(page.includes('Delete this post?') && page.includes('The oldest words.'));
});

test('without LinkedIn the question before publishing leads to connecting it', async () => {
  const actor = await makeUser(db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const page = await (await signIn(actor)).read(`/app/scheduled?confirm-publish=${id}`);
  assert.match(page, /Connect LinkedIn first, then publish this post/);
  assert.ok(!page.includes(`/app/posts/${id}/publish`));
});

test("somebody else's post is neither shown nor deleted", async () => {
  const id = await makeScheduledPost(db, await makeUser(db), { content: 'A secret.', dueAt: inDays(1) });
  const browser = await signIn(await makeUser(db));
  await browser.post(`/app/posts/${id}/delete`, { from: '/app/posts' });
  const page = await browser.read(`/app/posts?confirm-delete=${id}`);
  assert.ok(page.includes('This post was not found') && !page.includes('A secret.'));
});

test('a post that was sent stays on its list by its address, and nobody else sees it there', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const id = await makeScheduledPost(db, actor, { content: 'Seen in its place.', dueAt: inDays(1) });
  const postedAt = new Date();
  const posted = { status: 'published' as const, postedAt };
  await standAs(db, id, posted);
  assert.ok(!(await browser.read('/app/scheduled')).includes('Seen in its place.'));
  for (const list of ['/app/scheduled', '/app/posts?status=failed']) {
    const address = `${list}${list.includes('?') ? '&' : '?'}watch=${id},nonsense`;
    const page = await browser.read(address);
    assert.ok(page.includes('Seen in its place.') && page.includes('Look at your profile'), list);
    assert.ok(!(await (await signIn(await makeUser(db))).read(address)).includes('Seen in its place.'));
  }
});

test('the preview of a post that went out before its time says when it went out', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const dueAt = inDays(9);
  const id = await makeScheduledPost(db, actor, { dueAt });
  const inPreview = async () => {
    const page = await browser.read(`/app/scheduled?watch=${id}&open=${id}`);
    return wordsOf(/<article class="preview"[\s\S]*?<\/header>/.exec(page)![0]);
  };
  const planned = formatInstant(dueAt, actor.timeZone);
  assert.ok((await inPreview()).includes(planned));
  const notBefore = inDays(12);
  await standAs(db, id, { notBefore });
  assert.ok((await inPreview()).includes(formatInstant(notBefore, actor.timeZone)));
  const postedAt = inDays(-1);
  await standAs(db, id, { status: 'published', postedAt, notBefore: null });
  assert.ok((await inPreview()).includes(formatInstant(postedAt, actor.timeZone)));
});

test('a post that was set aside has not failed, by its badge, its tab and in the CSV', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  for (const [failure, word] of [
    ['not_approved', 'Set aside'],
    ['not_wanted', 'Set aside'],
    ['skipped', 'Set aside'],
    ['too_late', 'Failed'],
  ] as const) {
    await standAs(db, id, { status: 'failed', ...failureText(failure) });
    const badges = /<span class="badge[^>]*>(?:<svg.*?<\/svg>)?([^<]*)<\/span>/g;
    const tab = `/app/posts?status=${word === 'Failed' ? 'failed' : 'set_aside'}`;
    for (const address of ['/app/posts', tab, '/app/dashboard']) {
      const words = [...(await browser.read(address)).matchAll(badges)].map(([, said]) => said);
      assert.ok(words.includes(word), `${address}: ${words}`);
    }
    assert.ok((await browser.read('/app/posts.csv')).includes(`,${word},`));
  }
});

test('Publish now leads back to its list, where the post is watched', async () => {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  const browser = await signIn(actor);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const from = `/app/scheduled?cursor=x#post-${id}`;
  const answer = await browser.post(`/app/posts/${id}/publish`, { from });
  assert.equal(answer.headers.get('Location'), `/app/scheduled?cursor=x&watch=${id}#post-${id}`);
  const page = await browser.read(`/app/scheduled?watch=${id}#post-${id}`);
  assert.match(page, new RegExp(`content="3; url=\\?watch=${id}&amp;turn=1#post-${id}"`));
});

test('numbers are typed in about a published post, refused in words, and cleared', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const page = `/app/posts?numbers=${id}`;
  const early = await browser.post(page, { likes: '1' });
  assert.equal(early.status, 409);
  const posted = { status: 'published' as const, postedAt: new Date() };
  await standAs(db, id, posted);
  for (const [fields, sentence] of [
    [{ likes: '-1' }, 'Likes must be a whole number, 0 or more'],
    [{ likes: '4', shares: '1.5' }, 'Shares must be a whole number, 0 or more'],
    [{ comments: '1000000001' }, 'Comments can be at most 1,000,000,000'],
    [{ impressions: '9'.repeat(400) }, 'Impressions can be at most 1,000,000,000'],
    [{ likes: ' ', comments: '' }, 'Please type in at least one number'],
  ] as const) {
    const refused = await browser.post(page, { ...fields });
    assert.equal(refused.status, 422, sentence);
    assert.ok((await refused.text()).includes(sentence), sentence);
  }
  assert.ok((await browser.read('/app/posts')).includes('are not available'));
  assert.equal((await browser.post(page, { likes: '1200', comments: '0' })).status, 302);
  const shown = await browser.read('/app/posts');
  const totals = /aria-label="Totals"[\s\S]*?<\/section>/.exec(shown)![0].replaceAll(/<[^>]*>/g, '');
  assert.ok(
    totals.includes('1,200 likes') && totals.includes('– shares') && !totals.includes('not available'),
  );
  assert.ok(/1,200 likes · 0 comments\./.test(shown) && shown.includes('Typed in by you on'));
  assert.equal((await (await signIn(await makeUser(db))).post(page, { likes: '5' })).status, 404);
  await browser.post(`/app/posts/${id}/clear`, { from: '/app/posts' });
  assert.ok(!(await browser.read('/app/posts')).includes('Typed in by you on'));
});

test('the API says of an unconfirmed post that its owner decides, and changes nothing', async () => {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  const id = await makeScheduledPost(db, actor, { content: 'As it was sent.', dueAt: inDays(1) });
  const failed = {
    status: 'failed' as const,
    isUnconfirmed: true,
    reason: 'LinkedIn did not confirm this post',
  };
  await standAs(db, id, failed);
  const token = await tokenOf(db, actor);
  const path = `/automation/posts/${id}`;
  for (const [method, address, body] of [
    ['PUT', path, { content: 'Another text.' }],
    ['POST', `${path}/retry`, undefined],
  ] as const) {
    const { status, body: said } = await call(origin, method, address, body, token);
    assert.deepEqual([status, said.code], [409, 'unconfirmed']);
    assert.match(said.message, /"It is there" or "Post it again"/);
  }
  const { posts } = (await call(origin, 'GET', '/automation/posts', undefined, token)).body;
  const { content, presence, cure } = posts[0];
  assert.deepEqual([content, presence, cure.name], ['As it was sent.', 'unknown', 'decide']);
});

/** A post that LinkedIn did not confirm. */
async function unconfirmedPost(actor: Actor) {
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const failed = { status: 'failed' as const, isUnconfirmed: true, ...failureText('unconfirmed') };
  await standAs(db, id, failed);
  return id;
}

test('the API takes the decision about an unconfirmed post, once and with the rules of the page', async () => {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  const token = await tokenOf(db, actor);
  const decide = (id: string, verb: string, body?: object) =>
    call(origin, 'POST', `/automation/posts/${id}/${verb}`, body, token);

  const there = await unconfirmedPost(actor);
  const refused = await decide(there, 'acknowledge', { link: 'my profile' });
  assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [422, ['link']]);
  const urn = `urn:li:activity:74${process.pid}`;
  const { status, body } = await decide(there, 'acknowledge', { link: urn });
  assert.deepEqual([status, body.post.status], [200, 'published']);
  assert.ok(body.post.linkedInPostUrl.includes(urn));
  assert.equal((await decide(await unconfirmedPost(actor), 'acknowledge')).body.post.linkedInPostUrl, null);

  const again = await unconfirmedPost(actor);
  const sent = await decide(again, 'again');
  assert.deepEqual([sent.status, sent.body.post.status], [202, 'generated']);
  for (const verb of ['again', 'acknowledge']) {
    const { status, body } = await decide(again, verb);
    assert.deepEqual([verb, status, body.code], [verb, 409, 'not_unconfirmed']);
  }
});

test('one link that is pasted at many posts at once is kept at one, by the page and by the API', async () => {
  const actor = await makeUser(db);
  const [browser, token] = [await signIn(actor), await tokenOf(db, actor)];
  const ids: string[] = [];
  while (ids.length < 6) ids.push(await unconfirmedPost(actor));
  const link = `urn:li:share:76${process.pid}`;
  const answers = await Promise.all(
    ids.map(async (id, nth) => {
      if (nth % 2) return browser.post(`/app/posts?acknowledge=${id}`, { link });
      return call(origin, 'POST', `/automation/posts/${id}/acknowledge`, { link }, token);
    }),
  );
  const kept = answers.filter(({ status }) => status === 200 || status === 302);
  assert.equal(kept.length, 1);
  for (const answer of answers) {
    if (kept.includes(answer)) continue;
    assert.equal(answer.status, 409);
    const said = answer instanceof Response ? await answer.text() : answer.body.message;
    assert.match(said, /This link belongs to another post of yours/);
  }
});

test('the API does not send again what LinkedIn refused as a double', async () => {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const told = failureText('duplicate');
  await standAs(db, id, { status: 'failed', ...told });
  await addAttempt(actor, id, { state: 'refused', explanation: told.reason });
  const token = await tokenOf(db, actor);
  const { status, body } = await call(origin, 'POST', `/automation/posts/${id}/retry`, undefined, token);
  assert.deepEqual([status, body.code], [409, 'duplicate']);
  assert.match(body.message, /Change it/);
});

const authorOf = ({ userId }: Actor) => `urn:li:person:${userId}`;

const addAttempt = (actor: Actor, postId: string, outcome: object) => {
  const over = { finishedAt: new Date(), resolvedAt: new Date() };
  return makeAttempt(db, actor, postId, { authorUrn: authorOf(actor), ...over, ...outcome });
};

async function publishedPost(actor: Actor, urn: string | null, isNamed = true) {
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const posted = { status: 'published' as const, postedAt: new Date(), networkUrn: urn };
  await standAs(db, id, posted);
  if (isNamed) await addAttempt(actor, id, { state: 'published', networkUrn: urn });
  return id;
}

test('the dialog says that a post is deleted on LinkedIn only where LinkedIn itself has named it to us', async () => {
  for (const [urn, isNamed] of [
    [`urn:li:share:75${process.pid}1`, true],
    [`urn:li:share:75${process.pid}2`, false],
    [`urn:li:activity:75${process.pid}3`, false],
    [null, false],
  ] as const) {
    const actor = await makeUser(db);
    await makeConnection(db, actor);
    const browser = await signIn(actor);
    const id = await publishedPost(actor, urn, isNamed);
    const page = await browser.read(`/app/posts?confirm-delete=${id}`);
    assert.equal(page.includes('This will delete the post from LinkedIn too'), isNamed, String(urn));
    assert.equal(page.includes('It is deleted here only'), !isNamed, String(urn));
  }
});

test('without LinkedIn the dialog says what stays, and deletes here only what it was about', async () => {
  const actor = await makeUser(db);
  const [browser, token] = [await signIn(actor), await tokenOf(db, actor)];
  const urn = (nth: number) => `urn:li:share:77${process.pid}${nth}`;
  const first = await publishedPost(actor, urn(1));
  const page = await browser.read(`/app/posts?confirm-delete=${first}`);
  assert.match(page, /LinkedIn is not connected, so it is deleted here only/);
  assert.match(page, /<input type="hidden" name="hereOnly" value="true"/);
  await browser.post(`/app/posts/${first}/delete`, { from: '/app/posts' });
  assert.match(await browser.read('/app/posts'), /Connect LinkedIn first/);
  await browser.post(`/app/posts/${first}/delete`, { from: '/app/posts', hereOnly: 'true' });
  assert.match(await browser.read('/app/posts'), /Post deleted\. LinkedIn was not asked/);
  const second = `/automation/posts/${await publishedPost(actor, urn(2))}`;
  const refused = await call(origin, 'DELETE', second, undefined, token);
  assert.deepEqual([refused.status, refused.body.code], [409, 'linkedin_not_connected']);
  const deleted = await call(origin, 'DELETE', `${second}?hereOnly=true`, undefined, token);
  assert.equal(deleted.status, 200);
  assert.match(deleted.body.message, /^Post deleted\. LinkedIn was not asked/);
});

test('what stays on LinkedIn after a post was deleted stands in the page, with the way there', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const urn = `urn:li:share:77${process.pid}9`;
  const id = await publishedPost(actor, urn);
  await browser.post(`/app/posts/${id}/delete`, { from: '/app/posts', hereOnly: 'true' });
  const main = /<main[\s\S]*<\/main>/.exec(await browser.read('/app/posts'))![0];
  assert.match(main, /banner-info[\s\S]*Post deleted\. LinkedIn was not asked/);
  assert.match(main, new RegExp(`href="[^"]*/feed/update/${urn}/"[^>]*>Look at LinkedIn`));
  assert.doesNotMatch(main, /banner-danger/);
});

test('two deletions of a post side by side both succeed, by the page and by the API', async () => {
  const actor = await makeUser(db);
  const [browser, token] = [await signIn(actor), await tokenOf(db, actor)];
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const path = `/automation/posts/${id}`;
  const remove = () => call(origin, 'DELETE', path, undefined, token);
  for (const { status, body } of await Promise.all([remove(), remove(), remove()])) {
    assert.deepEqual([status, body.message], [200, 'Post deleted successfully!']);
  }
  await browser.post(`/app/posts/${id}/delete`, { from: '/app/posts' });
  const page = await browser.read('/app/posts');
  assert.ok(page.includes('Post deleted successfully!') && !page.includes('was not found'));
  const stranger = await tokenOf(db, await makeUser(db));
  assert.equal((await call(origin, 'DELETE', path, undefined, stranger)).status, 404);
});

test('a button without a list leads to the queue, and the one that confirms a post to the history', async () => {
  const browser = await signIn(await makeUser(db));
  const slots = { slot: '2026-11-25 1', otherSlot: '2026-11-26 1', otherId: randomUUID() };
  for (const verb of POST_VERBS) {
    const page = ['again', 'clear', 'schedule'].includes(verb) ? '/app/posts' : '/app/scheduled';
    const address = postAddress(randomUUID(), verb);
    assert.deepEqual([verb, (await browser.get(address)).headers.get('Location')], [verb, page]);
    assert.deepEqual(
      [verb, (await browser.post(address, { ...slots, of: 'skip' })).headers.get('Location')],
      [verb, page],
    );
    assert.ok((await browser.read(page)).includes('This post was not found'), verb);
  }
});

test('why a post was not deleted stands on its card, or above the list that does not show it', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const why = /Connect LinkedIn first, so that the post can be deleted there/;
  const id = await publishedPost(actor, `urn:li:share:78${process.pid}1`);
  const other = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const cardOf = (html: string, postId: string) =>
    new RegExp(`<li id="post-${postId}"[\\s\\S]*?(?=<li id="post-|</ul>)`).exec(html)?.[0] ?? '';
  const refused = await browser.post(`/app/posts/${id}/delete`, { from: '/app/posts' });
  assert.equal(refused.headers.get('Location'), `/app/posts#post-${id}`);
  const page = await browser.read('/app/posts');
  assert.match(cardOf(page, id), why);
  assert.doesNotMatch(cardOf(page, other), why);
  assert.equal(mainOf(page).match(new RegExp(why, 'g'))!.length, 1);
  assert.doesNotMatch(await browser.read('/app/posts'), why);
  await browser.post(`/app/posts/${id}/delete`, { from: '/app/scheduled' });
  const queue = await browser.read('/app/scheduled');
  assert.match(mainOf(queue), why);
  assert.doesNotMatch(cardOf(queue, other), why);
});

test('a history of one test post has its tabs and its file, and calls no empty list the whole', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const page = (status = '') => browser.read(`/app/posts${status}`);
  assert.match(await page(), /No posts yet/);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  await db.updateTable('posts').set({ visibility: 'CONNECTIONS' }).where('id', '=', id).execute();
  const all = await page();
  assert.match(all, /\?status=failed"[\s\S]*Failed/);
  assert.match(all, /Download as CSV/);
  const failed = await page('?status=failed');
  assert.match(failed, /No posts with this status/);
  assert.doesNotMatch(failed, /No posts yet/);
});

test('posts that were set aside have a tab of their own, and are no failed ones', async () => {
  const actor = await makeUser(db);
  const browser = await signIn(actor);
  const failed = { status: 'failed' as const };
  for (const [content, failure] of [
    ['Put away by hand.', 'not_wanted'],
    ['Nobody approved it.', 'not_approved'],
    ['Refused by LinkedIn.', 'refused'],
    ['From before there were words.', null],
  ] as const) {
    const id = await makeScheduledPost(db, actor, { content, dueAt: inDays(1) });
    await standAs(db, id, { ...failed, failure, reason: 'A reason' });
  }
  const page = await browser.read('/app/posts?status=set_aside');
  assert.match(page, /<a[^>]*aria-current="page"[^>]*>Set aside</);
  const shows = (html: string) =>
    ['Put away by hand.', 'Nobody approved it.', 'Refused by', 'From before'].map((words) =>
      html.includes(words),
    );
  assert.deepEqual(shows(page), [true, true, false, false]);
  assert.deepEqual(shows(await browser.read('/app/posts?status=failed')), [false, false, true, true]);
  assert.match(page, /status=set_aside&amp;confirm-delete=/, 'what the page leads to comes back to the tab');
});
