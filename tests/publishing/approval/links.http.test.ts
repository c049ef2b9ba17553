import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { formatInMail, formatInstant } from '#app/domain/platform/dates.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { approvalLinks } from '#app/domain/publishing/approval/links.ts';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { endPlanAt } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, wordsOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

const outside = await startOutside();
const DAY = 86_400_000;
const ZONE = 'Asia/Kolkata';
const CONTENT = 'A plan that fits on a postcard gets read.';
let database: TestDatabase;
let web: Web;

before(async () => {
  database = await testDatabase();
  web = await startWeb({
    databaseUrl: database.url,
    env: { LOG_LEVEL: 'info', TRUST_PROXY: 'x-forwarded-for' },
  });
});

/** Each comes from an address of their own, which presses are counted by. */
let asked = 0;

/** Somebody whose post waits for approval, and a browser that knows nobody, at the link that was mailed. */
async function mailed(dueAt = new Date(Date.now() + 2 * DAY)) {
  const { db } = database;
  const actor = { ...(await makePublisher(db, outside.url)), timeZone: ZONE };
  const postId = await makeScheduledPost(db, actor, { dueAt, content: CONTENT });
  await saveSettings(db, actor, { requireApproval: true, timeZone: ZONE });
  await db.updateTable('posts').set({ publishAt: dueAt }).where('id', '=', postId).execute();
  await standAs(db, postId, { dueAt });
  await mailApprovalRequests(db);
  const [mail] = await mailsTo(db, actor.email, 'approvalAsked');
  const { pathname, search } = new URL(mail!.posts[0]!.link);
  asked += 1;
  const browser = new Browser(web.url, { 'X-Forwarded-For': `198.51.100.${asked}` });
  const to = (verb: string) => `${pathname}/${verb}${search}`;
  const press = async (verb: string, fields: Record<string, string> = { revision: '0' }) => {
    const answer = await browser.post(to(verb), fields);
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('Location'), pathname + search);
    return wordsOf(await browser.read(pathname + search));
  };
  const page = pathname + search;
  const state = () => readPost(db, postId);
  return { actor, postId, dueAt, browser, page, search, to, press, state };
}

test('the page shows the post, its time with the zone, what comes of silence, and the buttons, to whoever has the link', async () => {
  const { browser, page, dueAt, to } = await mailed();
  const answer = await browser.get(page);
  assert.equal(answer.status, 200);
  const html = await answer.text();
  const words = wordsOf(html);
  assert.ok(words.includes(CONTENT));
  assert.ok(words.includes('#Planning'));
  assert.ok(words.includes(`It is planned for ${formatInMail(dueAt, ZONE)}, once you approve it.`));
  assert.match(
    words,
    /If you do nothing, it is not published then: it moves to .* once, and after that it is set aside\./,
  );
  for (const verb of ['approve', 'skip']) {
    assert.ok(html.includes(`action="${to(verb).replaceAll('&', '&amp;')}"`), verb);
  }
});

test('the page says how specific the post is, and what no fact of its author says', async () => {
  const { actor, postId, browser, page } = await mailed();
  const plain = composedOf(CONTENT);
  const draft = { ...plain.draft, claims: [{ text: CONTENT, fact: null }] };
  const composed = { ...plain, draft, score: 35, reasons: ['Opens with a concrete thing'] };
  await transact(database.db, (trx) =>
    storeBrief(trx, { postId, userId: actor.userId }, composed, new Date()),
  );
  const words = wordsOf(await browser.read(page));
  assert.match(words, /Specific: 35 of 100 · Opens with a concrete thing/);
  assert.ok(words.includes(`“ ${CONTENT} ” No fact of yours says this. Please check that it is true.`));
  assert.doesNotMatch(words, /Add facts/, 'nobody is signed in');
  await approvePost(database.db, actor, postId);
  assert.doesNotMatch(wordsOf(await browser.read(page)), /Specific/, 'there is nothing to decide');
});

test('the address stays with us: no other site is told it, no search engine keeps it, no log has it', async () => {
  const { browser, page, search } = await mailed();
  for (const address of [page, page.replace('?', '.data?')]) {
    const { headers } = await browser.get(address);
    assert.equal(headers.get('Referrer-Policy'), 'same-origin', address);
    assert.equal(headers.get('X-Robots-Tag'), 'noindex, nofollow', address);
    assert.equal(headers.get('Cache-Control'), 'no-store', address);
    assert.deepEqual(headers.getSetCookie(), []);
  }
  const key = new URLSearchParams(search).get('key')!;
  assert.match(web.said(), /\/approval\//);
  assert.ok(!web.said().includes(key) && !web.said().includes(key.split('.')[2]!));
  assert.equal(
    (await browser.get('/login')).headers.get('Referrer-Policy'),
    'strict-origin-when-cross-origin',
  );
});

test('to look changes nothing, whatever is looked at, and however', async () => {
  const { browser, page, to, state } = await mailed();
  const before = await state();
  for (const address of [page, to('approve'), to('skip')]) {
    for (const each of [address, address.replace('?', '.data?')]) {
      assert.ok((await browser.get(each)).status < 400, each);
      assert.ok((await browser.head(each)).status < 400, each);
    }
  }
  const headers = { Purpose: 'prefetch', 'Sec-Purpose': 'prefetch;prerender' };
  await new Browser(web.url, headers).get(to('approve'));
  assert.deepEqual(await state(), before);
});

test('Approve approves, signs nobody in, and says so again when it is pressed again', async () => {
  const { browser, press, state, dueAt } = await mailed();
  const words = await press('approve');
  const time = formatInMail(dueAt, ZONE);
  assert.ok(words.includes(`Post approved. It is planned for ${time}.`));
  assert.ok(words.includes('This post is approved'));
  assert.equal((await state()).status, 'generated');
  assert.ok(!browser.cookies.has('tidepost'));
  assert.equal((await browser.get('/app/scheduled')).headers.get('Location'), '/login');
  assert.ok((await press('approve')).includes(`This post is approved already. It is planned for ${time}.`));
  assert.ok((await press('skip')).includes('This post is approved already'));
  assert.equal((await state()).status, 'generated');
});

test('Skip sets the post aside', async () => {
  const { browser, page, press, state } = await mailed();
  const words = await press('skip', {});
  assert.match(words, /You skipped the post\. It is in Post History under Set aside\./);
  assert.match(words, /This post is set aside You skipped it\. It is not published\./);
  const { status, failure } = await state();
  assert.deepEqual([status, failure], ['failed', 'skipped']);
  assert.ok((await browser.read(page)).includes('/login?to=%2Fapp%2Fposts%3Fstatus%3Dset_aside'));
  assert.ok((await press('skip', {})).includes('You skipped this post already.'));
  assert.ok((await press('approve')).includes('You skipped this post, so it waits for nothing'));
});

test('of both buttons pressed at once, by many, one decides and every other is told what', async () => {
  for (let round = 0; round < 3; round++) {
    const { browser, page, to, state } = await mailed();
    const presses = Array.from({ length: 10 }, async (_, nth) => {
      const own = new Browser(web.url, { 'X-Forwarded-For': `10.0.${round}.${nth}` });
      await own.post(to(nth % 2 ? 'approve' : 'skip'), { revision: '0' });
      return wordsOf(await own.read(page));
    });
    const said = await Promise.all(presses);
    const { status, failure } = await state();
    const isApproved = status === 'generated';
    if (!isApproved) assert.deepEqual([status, failure], ['failed', 'skipped']);
    const decided = isApproved
      ? /Post approved\. It is planned/
      : /You skipped the post\. It is in Post History/;
    assert.equal(said.filter((words) => decided.test(words)).length, 1);
    const after = isApproved
      ? /This post is approved already/
      : /You skipped this post already|You skipped this post, so it waits for nothing/;
    assert.equal(said.filter((words) => after.test(words)).length, 9);
    assert.match(await browser.read(page), isApproved ? /This post is approved/ : /This post is set aside/);
  }
});

test('a text that was changed since is shown as it is now, and only what was shown is approved', async () => {
  const { actor, postId, browser, page, press, state } = await mailed();
  assert.doesNotMatch(await browser.read(page), /was changed after we sent the mail/);
  await editPost(database.db, actor, { postId, content: 'Another text, that the mail did not have.' });
  const refused = await press('approve', { revision: '0' });
  assert.match(refused, /The text was changed after you opened this page, so nothing was approved/);
  assert.match(refused, /was changed after we sent the mail/);
  assert.ok(refused.includes('Another text, that the mail did not have.'));
  for (const fields of [{}, { revision: '' }, { revision: 'x' }, { revision: '-1' }] as Record<
    string,
    string
  >[]) {
    assert.match(await press('approve', fields), /This page is out of date/);
  }
  assert.equal((await state()).status, 'pending');
  await press('approve', { revision: '1' });
  assert.equal((await state()).status, 'generated');
});

test('a link that is forged, expired or about another post opens nothing and does nothing', async () => {
  const { actor, postId, page, search, state, dueAt } = await mailed();
  const other = await mailed();
  const linkTo = await approvalLinks(database.db, actor.userId, new Date(Date.now() - 8 * DAY));
  const { pathname, search: old } = new URL(linkTo({ id: postId, revision: 0 }, dueAt));
  const said = /There is nothing to decide here This link (is not valid|has expired)/;
  const links = [
    [pathname + old, 403],
    [pathname, 404],
    [`${pathname}?key=`, 404],
    [`${page.slice(0, -4)}AAAA`, 404],
    [`/approval/${other.postId}${search}`, 404],
    [`/approval/nothing${search}`, 404],
    [`/approval/%00${search}`, 404],
    [`${page}${'x'.repeat(2_000)}`, 404],
  ] as const;
  for (const [address, status] of links) {
    const browser = new Browser(web.url);
    const answer = await browser.get(address);
    assert.equal(answer.status, status, address);
    const html = await answer.text();
    assert.ok(html.includes('href="/login?to=%2Fapp%2Fscheduled"'), address);
    const words = wordsOf(html);
    assert.match(words, said, address);
    assert.ok(!words.includes(CONTENT));
    for (const verb of ['approve', 'skip']) {
      const pressed = await browser.post(address.replace(/(\?|$)/, `/${verb}$1`), { revision: '0' });
      assert.equal(pressed.status, 302, address);
    }
  }
  assert.equal((await state()).status, 'pending');
  assert.equal((await other.state()).status, 'pending');
});

test('a form from another site is refused, and one without an origin', async () => {
  const { to, state } = await mailed();
  for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, {}] as Record<
    string,
    string
  >[]) {
    const body = new URLSearchParams({ revision: '0' });
    const { status } = await fetch(web.url + to('approve'), {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    assert.ok(status === 403 || status === 400, JSON.stringify(headers));
  }
  assert.equal((await state()).status, 'pending');
});

test('presses without end are refused', async () => {
  const { browser, to, page, state, postId } = await mailed();
  for (let nth = 0; nth < 20; nth++) await browser.post(to('approve'), { revision: 'x' });
  await browser.post(to('approve'), { revision: '0' });
  assert.match(await browser.read(page), /Too many attempts\. Please wait/);
  assert.equal((await state()).status, 'pending', postId);
});

test('what became of the post, and what keeps it in, is said', async () => {
  const { db } = database;
  type Way = [RegExp, (one: Awaited<ReturnType<typeof mailed>>) => Promise<unknown>];
  const ways: Way[] = [
    [
      /This post is published It went out \d\d:\d\d\./,
      ({ postId }) => standAs(db, postId, { status: 'published', postedAt: new Date(), dueAt: null }),
    ],
    [
      /This post is set aside You did not approve this post by its time, so it was set aside\. It is not published\./,
      ({ postId }) =>
        standAs(db, postId, {
          status: 'failed',
          failure: 'not_approved',
          reason: 'You did not approve this post by its time, so it was set aside',
          dueAt: null,
        }),
    ],
    [
      /Approve this post\? .*Automation is paused, so nothing goes out by itself\..*If you do nothing, it is not published\. It goes on waiting for you while this lasts\./,
      ({ actor }) => saveSettings(db, actor, { enabled: false }),
    ],
    [
      /Approve this post\? .*LinkedIn is not connected, so no post can go out\./,
      ({ actor }) => disconnect(db, actor),
    ],
    [
      /Approve this post\? .*If you do nothing, it is not published and is set aside\./,
      ({ postId }) =>
        db.updateTable('posts').set({ approvalMovedAt: new Date() }).where('id', '=', postId).execute(),
    ],
    [
      /Approve this post\? It is planned for .*, if you renew your plan and approve it\..*If you do nothing, it is not published\. After your plan ends: it waits for you\. Renew your plan before then and approve the post, and it can go out at its time\./,
      ({ actor, dueAt }) => endPlanAt(db, actor, dueAt),
    ],
    [
      /This post is approved It is planned for .*, if you renew your plan\./,
      async ({ actor, dueAt, postId }) => {
        await endPlanAt(db, actor, dueAt);
        await approvePost(db, actor, postId);
      },
    ],
    [
      /nothing to decide here This post was deleted, so nothing of it is published\./,
      ({ actor, postId }) => deletePost(db, actor, postId, { beforeCall: async () => {} }),
    ],
  ];
  for (const [said, become] of ways) {
    const one = await mailed();
    await become(one);
    assert.match(wordsOf(await one.browser.read(one.page)), said);
  }
});

test('a post that went out since the page was opened: each button says so and changes nothing', async () => {
  const { db } = database;
  const one = await mailed();
  const opened = wordsOf(await one.browser.read(one.page));
  assert.match(opened, /Approve this post\?/);
  await approvePost(db, one.actor, one.postId);
  await standAs(db, one.postId, { dueAt: new Date(Date.now() - 60_000) });
  await publishPost(db, one.postId);
  const published = await one.state();
  assert.equal(published.status, 'published');
  for (const verb of ['approve', 'skip']) {
    assert.match(
      await one.press(verb),
      /This post is published It went out \d\d:\d\d\. This post is already published /,
    );
    assert.deepEqual(await one.state(), published, verb);
  }
});

test('a post that is going out just now, or may be out, is said to be, and nothing is changed', async () => {
  const { db } = database;
  const going = await mailed();
  await approvePost(db, going.actor, going.postId);
  await standAs(db, going.postId, { dueAt: new Date(Date.now() - 60_000) });
  const { id } = await makeAttempt(db, going.actor, going.postId);
  const stood = await going.state();
  for (const verb of ['approve', 'skip']) {
    assert.match(await going.press(verb), /This post is being published now .*This post is being published/);
    assert.deepEqual(await going.state(), stood, verb);
  }
  await db.deleteFrom('publishAttempts').where('id', '=', id).execute();
  await standAs(db, going.postId, {
    status: 'failed',
    isUnconfirmed: true,
    dueAt: null,
    reason: 'No answer',
  });
  const unsure = await going.state();
  for (const verb of ['approve', 'skip']) {
    assert.match(await going.press(verb), /LinkedIn did not confirm this post\. /);
    const words = wordsOf(await going.browser.read(going.page));
    assert.match(words, /LinkedIn did not confirm this post No answer\. It may be on LinkedIn or not\./);
    assert.doesNotMatch(words, /did not go out/);
    assert.deepEqual(await going.state(), unsure, verb);
  }
});

test('Edit leads to the editor, by way of signing in; who is signed in as somebody else is not led there', async () => {
  const { actor, postId, browser, page } = await mailed();
  const editor = `/app/scheduled?edit=${postId}#post-${postId}`;
  const login = `/login?${new URLSearchParams({ to: editor })}`;
  assert.ok((await browser.read(page)).includes(`href="${login}"`));
  const signedIn = await browser.post(login, { email: actor.email, password: PASSWORD });
  assert.equal(signedIn.headers.get('Location'), editor);
  assert.ok((await browser.read(page)).includes(`href="${editor}"`));
  assert.match(await browser.read(editor), /Edit the post/);
  const other = await browserOf(database.db, await makeUser(database.db), web.url);
  const seen = await other.read(page);
  assert.match(wordsOf(seen), /You are signed in to another account here/);
  assert.ok(!seen.includes(`edit=${postId}`));
});

test('signing in leads to lists of ours alone', async () => {
  const { email } = await makeUser(database.db);
  for (const to of [
    '//evil.example',
    'https://evil.example',
    '/app/scheduled\n',
    '/logout',
    '/app/scheduled/../x',
    '',
  ]) {
    const browser = new Browser(web.url);
    const answer = await browser.post(`/login?${new URLSearchParams({ to })}`, { email, password: PASSWORD });
    assert.equal(answer.headers.get('Location'), '/app/dashboard', to);
  }
});

test('its owner reads at the post that it was approved by mail', async () => {
  const { actor, press, state } = await mailed();
  await press('approve');
  const at = formatInstant((await state()).decidedByEmailAt!, ZONE);
  const owner = await browserOf(database.db, actor, web.url);
  assert.ok(wordsOf(await owner.read('/app/scheduled')).includes(`Approved by the link in a mail, ${at}.`));
});
