import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nobody, startOutside } from '#tests/harness/outside/sandbox.ts';
import { look, tryWriter } from '#tests/harness/try-writer.ts';

const outside = await startOutside();

test('with nothing configured the writer of the sandbox writes three posts, with a fact', async () => {
  const fact = 'We moved our planning from Monday to Thursday';
  const { said, status } = await tryWriter(['Weekly planning for small teams', fact], {
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
  });
  assert.equal(status, 0, said);
  assert.match(said, /No writer is configured/);
  assert.equal(said.match(/— Post \d of 3/g)?.length, 3);
  assert.match(said, /We moved our planning from Monday to Thursday/);
  assert.match(said, /gpt-5-mini: \d+ tokens read, \d+ written, \d+\.\d s/);
  assert.match(said, /3 of 3 posts passed\./);
});

test('an answer that goes back is told with its reason', async () => {
  await outside.fault('writer.markdown', { match: 'Quiet launches' });
  const { said } = await look(['Quiet launches'], { OPENAI_API_KEY: 'sk-local' });
  assert.match(said, /sent back: .*Markdown/i);
});

test('each failure is told in a sentence', async () => {
  const bad = await Promise.all([
    tryWriter([]),
    look(['Planning'], { OPENAI_API_KEY: 'wrong-key-of-the-operator' }),
    look(['Planning'], { OPENAI_API_KEY: 'sk-local', OPENAI_MODEL: 'gpt-nobody' }),
    look(['Planning'], { OPENAI_API_KEY: 'sk-local', OPENAI_BASE_URL: await nobody() }),
  ]);
  const words = [
    /^Usage: /,
    /refuses the key in OPENAI_API_KEY/,
    /no model gpt-nobody/,
    /cannot be reached \(OPENAI_BASE_URL/,
  ];
  for (const [nth, { said, status }] of bad.entries()) {
    assert.equal(status, 1, said);
    assert.match(said, words[nth]!);
    assert.doesNotMatch(said, /wrong-key|at .*\.ts:\d/);
  }
});

test('it ends as well when its database does not start', async () => {
  const { said, status } = await tryWriter(['Planning'], {
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    TMPDIR: '/nowhere',
  });
  assert.equal(status, 1, said);
  assert.match(said, /no such file or directory/);
});
