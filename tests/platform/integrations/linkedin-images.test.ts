import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { env } from '#app/env.ts';
import { mayHaveToken, uploadImage } from '#app/integrations/linkedin/images.ts';
import { createPost } from '#app/integrations/linkedin/posts.ts';
import { png } from '#tests/fixtures/pictures.ts';
import { nobody, serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const PNG = png();
const outside = await startOutside();
const { access_token: accessToken, sub } = await outside.token('painter@example.com');
const ownerUrn = `urn:li:person:${sub}`;
const caller = { accessToken, version: '202608', timeoutMs: 3_000 };

/** The outcome without what support finds the call by. */
async function upload(change: object = {}) {
  const outcome = await uploadImage({ ...caller, ownerUrn, bytes: PNG, contentType: 'image/png', ...change });
  delete outcome.trace;
  return outcome;
}

test('a picture is handed over and can stand in a post', async () => {
  const outcome = await upload();
  assert.ok(outcome.kind === 'uploaded');
  const { imageUrn } = outcome;
  const post = await createPost({
    ...caller,
    authorUrn: ownerUrn,
    commentary: 'A pier',
    imageUrn,
    altText: 'Pier',
  });
  assert.equal(post.kind, 'published');
  const { posts } = await outside.ledger();
  assert.deepEqual([posts[0].imageUrn, posts[0].altText], [imageUrn, 'Pier']);
});

test('the picture arrives whether the upload host asks for the token or refuses it', async () => {
  for (const kind of ['linkedin.upload-needs-token', 'linkedin.upload-refuses-token']) {
    await outside.fault(kind, { times: 2 });
    assert.equal((await upload()).kind, 'uploaded', kind);
  }
});

test('what is no picture and what belongs to somebody else is refused', async () => {
  const text = await upload({ bytes: Buffer.from('<html>') });
  assert.ok(text.kind === 'refused');
  assert.equal(text.status, 415);
  const foreign = await upload({ ownerUrn: 'urn:li:person:other' });
  assert.ok(foreign.kind === 'refused');
  assert.equal(foreign.status, 403);
});

test('a dead token and a dead version are told apart', async () => {
  assert.equal((await upload({ accessToken: 'AQVno' })).kind, 'unauthorized');
  assert.equal((await upload({ version: '202508' })).kind, 'version');
});

/** The upload call answers with this address, and what the address got is written down. */
async function uploadTo(uploadUrl: (own: string) => string, put: (res: ServerResponse) => void) {
  const tokens: (string | undefined)[] = [];
  const listen = (req: IncomingMessage, res: ServerResponse) => {
    if (req.method === 'PUT') {
      tokens.push(req.headers.authorization);
      req.resume().on('end', () => put(res));
      return;
    }
    const value = { uploadUrl: uploadUrl(`http://${req.headers.host}`), image: 'urn:li:image:1' };
    res.end(JSON.stringify({ value }));
  };
  const outcome = await withEnv({ LINKEDIN_API_URL: await serve(listen) }, upload);
  return { outcome, tokens };
}

test('an upload host that refuses both ways says nothing about the connection', async () => {
  const { outcome, tokens } = await uploadTo(
    (own) => `${own}/put`,
    (res) => res.writeHead(401).end('<html>'),
  );
  const message = 'LinkedIn refused the picture';
  assert.deepEqual(outcome, { kind: 'refused', code: 'IMAGE_UPLOAD_REFUSED', message, status: 401 });
  assert.deepEqual(tokens, [`Bearer ${accessToken}`, undefined]);
});

test('the token goes to LinkedIn and to the configured origins only', async () => {
  const elsewhere: (string | undefined)[] = [];
  const stranger = await serve((req, res) => {
    elsewhere.push(req.headers.authorization);
    req.resume().on('end', () => res.writeHead(201).end());
  });
  const { outcome } = await uploadTo(
    () => `${stranger}/put`,
    () => {},
  );
  assert.equal(outcome.kind, 'uploaded');
  assert.deepEqual(elsewhere, [undefined]);

  for (const url of ['https://www.linkedin.com/dms', 'https://linkedin.com/x', env().LINKEDIN_API_URL]) {
    assert.equal(mayHaveToken(url), true, url);
  }
  const others = [
    'http://www.linkedin.com/x',
    'https://linkedin.com.evil.example/',
    'https://evillinkedin.com/',
  ];
  for (const url of [...others, 'https://www.linkedin.com@evil.example/']) {
    assert.equal(mayHaveToken(url), false, url);
  }
});

test('an upload that stays open counts as not sent, because nobody sees it', async () => {
  const broken = await uploadTo(
    (own) => own,
    (res) => void res.destroy(),
  );
  assert.equal(broken.outcome.kind, 'not_sent');
  const failing = await uploadTo(
    (own) => own,
    (res) => void res.writeHead(500).end(),
  );
  assert.equal(failing.outcome.kind, 'not_sent');
  const nonsense = await uploadTo(
    () => 'no address',
    () => {},
  );
  assert.equal(nonsense.outcome.kind, 'not_sent');
  const { kind } = await withEnv({ LINKEDIN_API_URL: await nobody() }, upload);
  assert.equal(kind, 'not_sent');
});
