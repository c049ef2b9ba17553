import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { askFor, connectTo, Post } from '#tests/harness/outside/writer-server.ts';

const outside = await startOutside();
const Draft = Post.omit({ tags: true });
const ask = async (settings: object = {}) =>
  askFor(
    await connectTo(`${outside.url}/openai/v1`, { model: 'gpt-5-mini', timeoutMs: 2_000, ...settings }),
    {
      shape: Draft,
    },
  );

/** What each fault of the sandbox means for who asks. */
const PROBLEMS: [kind: string, problem: string | undefined][] = [
  ['writer.refusal', 'declined'],
  ['writer.content-filter', 'filtered'],
  ['writer.policy', 'against-policy'],
  ['writer.context', 'too-much-context'],
  ['writer.malformed', 'wrong-shape'],
  ['writer.wrong-keys', 'wrong-shape'],
  ['writer.empty', 'empty'],
  ['writer.truncated', undefined],
  ['writer.thinks-aloud', undefined],
  ['writer.fenced', undefined],
  ['writer.parts', undefined],
  ['writer.no-schema', undefined],
];
for (const [kind, problem] of PROBLEMS) {
  test(`${kind} ends in ${problem ?? 'an answer'}`, async () => {
    await outside.fault(kind);
    const answered = await ask();
    assert.equal(answered.problem, problem);
    assert.equal(answered.answer === undefined, problem !== undefined);
  });
}

for (const kind of ['html', 'error-200', 'empty-body', 'no-message', '500', 'hang']) {
  test(`writer.${kind} is a writer that cannot answer now`, async () => {
    await outside.fault(`writer.${kind}`);
    await assert.rejects(ask(), WriterBusy);
  });
}

for (const [kind, least] of [
  ['429', 59],
  ['429-date', 50],
  ['429-ms', 60],
] as const) {
  test(`writer.${kind} says when to come again`, async () => {
    await outside.fault(`writer.${kind}`, { delayMs: 60_000 });
    await assert.rejects(
      ask(),
      (error) =>
        error instanceof WriterBusy && error.retryAfterSeconds! >= least && error.retryAfterSeconds! <= 60,
    );
  });
}

for (const [kind, words] of [
  ['401', /OPENAI_API_KEY/],
  ['404-model', /no model gpt-5-mini/],
  ['429-quota', /quota/],
] as const) {
  test(`writer.${kind} is a fault of the operator`, async () => {
    await outside.fault(`writer.${kind}`);
    await assert.rejects(ask(), (error) => error instanceof WriterFault && words.test(error.message));
  });
}

test('a model that does not think, and every way of asking for a form, is answered', async () => {
  for (const settings of [{ model: 'gpt-4o-mini' }, { structured: 'json' }, { structured: 'off' }]) {
    assert.ok((await ask(settings)).answer, JSON.stringify(settings));
  }
});
