import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeFault,
  FAULT_GROUPS,
  FAULT_KINDS,
  type FaultKind,
  groupTitle,
  isFaultKind,
} from '#sandbox/server/fault-kinds.ts';
import { png } from '#tests/fixtures/pictures.ts';
import { CALLBACK, sandboxOfFile, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

const sandbox = await sandboxOfFile();

type Member = Awaited<ReturnType<TestSandbox['member']>>;
type Act = { call(): Promise<Response>; isDone(): Promise<boolean> };

async function initialize(member: Member): Promise<{ uploadUrl: string; image: string }> {
  const body = { initializeUploadRequest: { owner: member.author } };
  return (await (await member.send('POST', '/rest/images?action=initializeUpload', body)).json()).value;
}

async function postPath(member: Member): Promise<string> {
  const urn = (await member.post('first')).headers.get('x-restli-id') ?? '';
  return `/rest/posts/${encodeURIComponent(decodeURIComponent(urn))}`;
}

const client = { client_id: 'tidepost-local', client_secret: 'tidepost-local-secret' };

async function newCode(): Promise<string> {
  const form = { response_type: 'code', client_id: client.client_id, redirect_uri: CALLBACK, state: 's' };
  const answer = await fetch(`${sandbox.url}/linkedin/oauth/v2/authorization`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...form, scope: 'openid profile', decision: 'allow' }),
  });
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const trade = (code: string) =>
  fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...client }),
  });

/** For each door a call that goes well, and how to see that its work was done. */
const DOORS: Record<string, (maya: Member) => Promise<Act>> = {
  initialize: async (maya) => ({
    call: () =>
      maya.send('POST', '/rest/images?action=initializeUpload', {
        initializeUploadRequest: { owner: maya.author },
      }),
    isDone: async () => true,
  }),
  upload: async (maya) => {
    const { uploadUrl, image } = await initialize(maya);
    return {
      call: () => fetch(uploadUrl, { method: 'PUT', body: png(), redirect: 'manual' }),
      isDone: async () => (await maya.post('seen', { content: { media: { id: image } } })).status === 201,
    };
  },
  delete: async (maya) => {
    const path = await postPath(maya);
    return {
      call: () => maya.send('DELETE', path),
      isDone: async () => (await sandbox.ledger()).posts.length === 0,
    };
  },
  edit: async (maya) => {
    const path = await postPath(maya);
    const patch = { patch: { $set: { commentary: 'second' } } };
    return {
      call: () => maya.send('POST', path, patch, { 'x-restli-method': 'PARTIAL_UPDATE' }),
      isDone: async () => (await sandbox.ledger()).posts[0].text === 'second',
    };
  },
  userinfo: async (maya) => ({
    call: () => maya.send('GET', '/v2/userinfo'),
    isDone: async () => true,
  }),
  token: async () => {
    const code = await newCode();
    return {
      call: () => trade(code),
      isDone: async () => (await trade(code)).status === 401,
    };
  },
};

const STATUSES: Record<string, Record<string, [status: number, words: RegExp]>> = {
  initialize: {
    '401-invalid': [401, /65600/],
    '401-revoked': [401, /65601/],
    '401-expired': [401, /65602/],
    '403-scope': [403, /partnerApiImages\.ACTION-initializeUpload\.20260801/],
    '426': [426, /20260801 is not active/],
    '429': [429, /MINUTE/],
    '429-retry-60': [429, /MINUTE/],
    '429-app-day': [429, /throttle APPLICATION DAY/],
    '500-before': [500, /Internal/],
  },
  upload: { '400': [400, /<h1>/], '404': [404, /<h1>/], '413': [413, /<h1>/], '503': [503, /<h1>/] },
  delete: {
    '401-revoked': [401, /65601/],
    '403-scope': [403, /partnerApiPostsExternal\.DELETE/],
    '404': [404, /NOT_FOUND/],
    '426': [426, /not active/],
    '429-day': [429, /APPLICATION_AND_MEMBER DAY/],
    'html-502': [502, /<h1>Bad Gateway/],
  },
  edit: { '403-scope': [403, /PARTIAL_UPDATE/], '409': [409, /CONFLICT/], '500-before': [500, /Internal/] },
  userinfo: {
    '401-revoked': [401, /65601/],
    '403-scope': [403, /userinfo\.GET\.NO_VERSION/],
    '429': [429, /./],
  },
  token: {
    '400-grant': [400, /invalid, expired or revoked/],
    '400-client-id': [400, /invalid_client_id/],
    '401-client': [401, /"invalid_client"/],
    '403': [403, /./],
    '404': [404, /./],
    '429': [429, /./],
    '500-before': [500, /Internal/],
    '302': [302, /^$/],
  },
};

for (const [door, statuses] of Object.entries(STATUSES)) {
  for (const [trouble, [status, words]] of Object.entries(statuses)) {
    test(`linkedin.${door}-${trouble} answers ${status} once, then all is well`, async () => {
      const act = await DOORS[door]!(await sandbox.member());
      await sandbox.fault({ kind: `linkedin.${door}-${trouble}`, times: 1 });
      const answer = await act.call();
      assert.equal(answer.status, status);
      assert.match(await answer.text(), words);
      assert.ok(answer.headers.get('x-li-uuid'));
      const well = await act.call();
      assert.ok(well.ok, `${well.status}`);
    });
  }
}

/** What each door does whatever its name: nothing, or its work unheard. */
for (const door of Object.keys(DOORS)) {
  for (const [trouble, isDone] of [
    ['drop-before', false],
    ['drop-after', true],
    ['reset', false],
    ['500-after', true],
    ['broken-json', true],
  ] as const) {
    test(`linkedin.${door}-${trouble} ${isDone ? 'does its work all the same' : 'does nothing'}`, async () => {
      const act = await DOORS[door]!(await sandbox.member());
      await sandbox.fault({ kind: `linkedin.${door}-${trouble}`, times: 1 });
      if (trouble === '500-after') assert.equal((await act.call()).status, 500);
      else if (trouble === 'broken-json') await assert.rejects((await act.call()).json());
      else await assert.rejects(act.call());
      assert.equal((await sandbox.api('GET', 'faults')).struck[`linkedin.${door}-${trouble}`], 1);
      const seesNothing = door === 'initialize' || door === 'userinfo';
      if (!seesNothing) assert.equal(await act.isDone(), isDone);
    });
  }

  test(`linkedin.${door}-slow and -hang keep the caller waiting`, async () => {
    const act = await DOORS[door]!(await sandbox.member());
    await sandbox.fault({ kind: `linkedin.${door}-slow`, times: 1, delayMs: 60 });
    const start = performance.now();
    assert.ok((await act.call()).ok);
    assert.ok(performance.now() - start >= 55);
    await sandbox.fault({ kind: `linkedin.${door}-hang-before`, times: 1 });
    const waited = new Promise((resolve) => setTimeout(resolve, 100, 'still waiting'));
    assert.equal(await Promise.race([act.call().catch(() => 'broken'), waited]), 'still waiting');
  });
}

test('a fault at a door strikes only the caller it is meant for', async () => {
  const [maya, daniel] = [await sandbox.member(), await sandbox.member('daniel@demo.example')];
  await sandbox.fault({ kind: 'linkedin.userinfo-401-revoked', match: 'maya@' });
  assert.equal((await daniel.send('GET', '/v2/userinfo')).status, 200);
  assert.equal((await maya.send('GET', '/v2/userinfo')).status, 401);
  await sandbox.fault({ kind: 'linkedin.token-500-before', match: 'refresh_token' });
  assert.equal((await trade(await newCode())).status, 200);
});

test('a fault at one door leaves the others alone', async () => {
  const maya = await sandbox.member();
  await sandbox.fault({ kind: 'linkedin.delete-426' });
  const path = await postPath(maya);
  assert.ok((await initialize(maya)).image);
  assert.equal((await maya.send('GET', '/v2/userinfo')).status, 200);
  assert.equal((await maya.send('DELETE', path)).status, 426);
});

test('a fault that fits no group of the page stands under Other', () => {
  assert.equal(groupTitle('linkedin.somewhere-else' as FaultKind), 'Other');
});

test('every fault stands on the page once, with a sentence', async () => {
  const page = await (await fetch(`${sandbox.url}/faults`)).text();
  const kinds = FAULT_GROUPS.flatMap(({ kinds }) => kinds);
  assert.deepEqual(kinds.toSorted(), FAULT_KINDS.toSorted());
  assert.equal(new Set(kinds).size, kinds.length);
  for (const kind of kinds) {
    assert.ok(isFaultKind(kind));
    assert.match(describeFault(kind), /^[A-Z].*\.$/);
    assert.equal(page.split(`<code>${kind}</code>`).length, 2, kind);
  }
  for (const title of [
    'creating a post',
    'announcing a picture',
    'uploading a picture',
    'the token endpoint',
  ]) {
    assert.ok(page.includes(`LinkedIn: ${title}`), title);
  }
});
