import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listFacts } from '#app/domain/voice/fact-list.ts';
import { VoiceInput } from '#app/domain/voice/schema.ts';
import { addExample, findVoice, listExamples, saveVoice } from '#app/domain/voice/voice.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const OWN =
  'On Tuesdays I walk the whole dock before anybody is there, and I write down what I see on one card for the crew.';
const VOICE = '/app/voice';
const EXAMPLE = '/app/voice?dialog=example';
const FACTS = '/app/voice/facts';
const QUESTION = '/app/voice/interview?question=2';

/** Somebody with a voice, and what is kept of it. */
async function somebody() {
  const { db } = database;
  const actor = await makeUser(db);
  await saveVoice(db, actor, VoiceInput.parse({ headline: 'Harbour master', audience: 'Crews' }));
  await addExample(db, actor, OWN);
  const browser = await browserOf(db, actor, url);
  const kept = async () => ({
    voice: await findVoice(db, actor.userId),
    examples: (await listExamples(db, actor.userId)).map(({ content }) => content),
    facts: (await listFacts(db, actor, { limit: 100 })).rows.map(({ content }) => content),
  });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (path: string, init: RequestInit) => {
    const headers = { Origin: url, Cookie: cookie, ...(init.headers as Record<string, string>) };
    const answer = await fetch(url + path, { redirect: 'manual', ...init, headers });
    await answer.body?.cancel();
    return answer.status;
  };
  return { browser, kept, send };
}

const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('forms of another kind, size or origin, and names that are none, change nothing of a voice', async () => {
  const { kept, send } = await somebody();
  const before = await kept();
  const body = 'content=We+sold+80+boats&headline=Taken';
  for (const path of [VOICE, EXAMPLE, FACTS, QUESTION]) {
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', 'image/png']) {
      const status = await send(path, { method: 'POST', headers: { 'Content-Type': type }, body });
      assert.ok([400, 415, 422].includes(status), `${path} ${type}: ${status}`);
    }
    for (const Origin of ['https://evil.example', 'null']) {
      const status = await send(path, { method: 'POST', headers: { ...urlencoded, Origin }, body });
      assert.ok([400, 403].includes(status), `${path} ${Origin}: ${status}`);
    }
    const long = `${body}${'x'.repeat(300_000)}`;
    assert.equal(await send(path, { method: 'POST', headers: urlencoded, body: long }), 413, path);
    const many = Array.from({ length: 10_000 }, (_, n) => `f${n}=`).join('&');
    const status = await send(path, { method: 'POST', headers: urlencoded, body: `${many}&${body}` });
    assert.ok([400, 413, 422].includes(status), `${path}: ${status}`);
  }
  for (const path of [EXAMPLE, FACTS, QUESTION]) {
    for (const name of ['content[0]', 'content.a', '__proto__[content]', 'constructor.content', 'Content']) {
      const headers = urlencoded;
      const sent = {
        method: 'POST',
        headers,
        body: `${encodeURIComponent(name)}=${encodeURIComponent(OWN)}`,
      };
      const status = await send(path, sent);
      assert.ok([400, 422].includes(status), `${path} ${name}: ${status}`);
    }
  }
  assert.deepEqual(await kept(), before);
});

test('what is typed twice, broken or unseen is kept once, whole, and as it is seen', async () => {
  const { browser, kept, send } = await somebody();
  const sent = { method: 'POST', headers: urlencoded };
  assert.equal(await send(FACTS, { ...sent, body: 'content=We+sold+80+boats.%E2%80%AE' }), 302);
  assert.equal(await send(FACTS, { ...sent, body: 'content=We+sold+70+boats.%00' }), 422);
  for (const body of ['content=%ED%A0%80', 'content=%', 'content=%zz%ff', 'content=a&content=b']) {
    const status = await send(FACTS, { ...sent, body });
    assert.ok([302, 422].includes(status), `${body}: ${status}`);
  }
  const { facts } = await kept();
  for (const fact of facts) assert.ok(fact.isWellFormed() && !/[\0\u202e]/.test(fact), fact);
  assert.ok(facts.some((fact) => fact.startsWith('We sold 80 boats.')));
  const before = facts.length;
  await Promise.all([1, 2, 3, 4].map(() => browser.post(QUESTION, { content: 'We keep 31 logs a year' })));
  assert.equal((await kept()).facts.length, before + 1);
  const html = '<img src=x onerror=alert(1)>';
  await browser.post(FACTS, { content: html });
  for (const page of [FACTS, '/app/topics', '/app/dashboard', '/app/voice/interview']) {
    assert.ok(!(await browser.read(page)).includes(html), page);
  }
});
