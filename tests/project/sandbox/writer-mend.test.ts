import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Brief } from '#app/domain/writing/generate/brief.ts';
import { fixPrompt, rereadPrompt, rewritePrompt } from '#app/domain/writing/generate/prompt.ts';
import { createWriterMemory } from '#sandbox/writer/memory.ts';
import { replyTo, type Turn } from '#sandbox/writer/mend.ts';
import { wordsOf } from '#sandbox/writer/words.ts';
import type { WrittenPost } from '#sandbox/writer/writer.ts';
import { FACTS, messagesFor } from '#tests/fixtures/briefs.ts';

const turnsOf = (messages: { role: string; content: string }[]): Turn[] =>
  messages.map((each) => ({ ...each }));

/** A post and what is answered when it comes back; `change` is done to the post in between. */
function sendBack(reasons: string[], change = (post: WrittenPost) => post, brief: Partial<Brief> = {}) {
  const memory = createWriterMemory();
  const asked = turnsOf(messagesFor(brief));
  const first = change(replyTo(memory, asked, 0, null, false));
  const again = [...asked, ...turnsOf(fixPrompt(JSON.stringify(first), reasons))];
  return { first, mended: replyTo(memory, again, 1, null, false) };
}

test('a text that came back keeps all but what the reason names', () => {
  const facts = [FACTS[0]!];
  const { first, mended } = sendBack(
    ['It states a number that was not given: 4711. Leave it out or use one of the facts.'],
    (post) => ({ ...post, content: `${post.content}\n\nIt took 4711 days. Nobody counted.` }),
    { facts },
  );
  assert.equal(mended.content, first.content.replace('It took 4711 days. ', ''));
  assert.deepEqual(mended.claims, first.claims);
  const marked = sendBack(
    ['It contains Markdown (bold), which LinkedIn shows raw; use plain text.'],
    (post) => ({
      ...post,
      content: post.content.replace(/^(\w+)/, '**$1**'),
    }),
  );
  assert.equal(marked.mended.content, marked.first.content.replaceAll('**', ''));
});

test('an opening, an ending or a thesis of before is replaced', () => {
  for (const reason of [
    'It opens like an earlier post ("…"); open in another way.',
    'It closes like an earlier post ("…"); close in another way.',
    'An earlier post argued this already ("…"); argue something else.',
    'It is too close to an earlier post of the author; choose another angle.',
  ]) {
    const { first, mended } = sendBack([reason]);
    assert.notEqual(mended.content.split('\n')[0], first.content.split('\n')[0], reason);
    assert.notEqual(mended.content.split('\n').at(-1), first.content.split('\n').at(-1), reason);
    assert.notEqual(mended.thesis, first.thesis);
  }
});

test('a text without a limit gets one when it is read again, and another stays as it is', () => {
  const memory = createWriterMemory();
  const asked = turnsOf(messagesFor({ tone: 'casual' }));
  const post = replyTo(memory, asked, 0, null, false);
  const read = (content: string) =>
    replyTo(
      memory,
      [...asked, ...turnsOf(rereadPrompt(JSON.stringify({ ...post, content })))],
      1,
      null,
      true,
    );
  assert.deepEqual([read(post.content).findings, read(post.content).content], [[], post.content]);
  const paragraphs = post.content.split('\n\n');
  const limit = paragraphs.findIndex(
    (each) =>
      /does ?n['o]t|no use|ends|stops|None of this|Where|Then/.test(each) && each !== paragraphs.at(-1),
  );
  const bare = paragraphs.filter((_, at) => at !== limit).join('\n\n');
  const mended = read(bare);
  assert.equal(mended.findings?.length, 1);
  assert.ok(mended.content.length > bare.length);
});

test('a post that is written again stays with its subject, as its instruction wants it', () => {
  const memory = createWriterMemory();
  const first = replyTo(memory, turnsOf(messagesFor({ length: 'longest' })), 0, null, false);
  const asked = turnsOf(messagesFor({ length: 'longest', instruction: 'shorter' }));
  const again = replyTo(memory, [...asked, ...turnsOf(rewritePrompt(first.content))], 1, null, false);
  assert.ok(wordsOf(again.content).length < wordsOf(first.content).length / 1.6);
  const sentences = first.content.split(/(?<=[.?])\s/);
  assert.ok(sentences.filter((each) => again.content.includes(each)).length >= 3, again.content);
});

const OWN = [
  'We repainted the board at the end of the pier in May, because nobody could read the rule on it any more.',
  'The rule says that the last one to leave ties the gate. It is the only rule we have, and it has a reason that every child here can tell you.',
  'A gate that bangs all night wakes the people in the two houses behind the dyke. They are the ones who lend us their boat when ours is on land.',
  'Other rules came and went. This one stayed, since each of us has lain awake in one of those houses.',
].join('\n\n');

/** What becomes of a text that the writer has never seen, when its author wants something of it. */
function retell(instruction: string, content = OWN, language = 'en', reasons: string[] = []) {
  const asked = [...turnsOf(messagesFor({ instruction, language })), ...turnsOf(rewritePrompt(content))];
  const memory = createWriterMemory();
  const first = replyTo(memory, asked, 0, null, false);
  if (reasons.length === 0) return first;
  const mend = turnsOf(fixPrompt(JSON.stringify(first), reasons));
  return replyTo(memory, [...asked, ...mend], 1, null, false);
}

test('a text of somebody else is made shorter with its own sentences', () => {
  const { content, hashtags } = retell('Make it shorter');
  assert.ok(wordsOf(content).length <= wordsOf(OWN).length * 0.62, content);
  assert.ok(content.length >= 220);
  for (const sentence of content.split(/(?<=\.)\s+/)) assert.ok(OWN.includes(sentence), sentence);
  assert.equal(content.split('\n')[0], OWN.split('\n')[0]);
  assert.ok(content.endsWith('one of those houses.'));
  assert.ok(hashtags.length >= 3);
  const short = retell('Make it shorter', OWN.split('\n\n').slice(0, 2).join('\n\n'));
  assert.ok(short.content.length >= 220, short.content);
});

test('it gets a word of its author, a question at its end, or both, in its language', () => {
  const personal = retell('Make it more personal').content;
  assert.equal(personal.replace(/\n\nI would do it this way[^\n]*/, ''), OWN);
  const asks = retell('End with a question').content;
  assert.match(asks, /\?$/);
  assert.equal(asks.slice(0, asks.lastIndexOf('\n\n')), OWN);
  assert.match(retell('Termine avec une question', OWN, 'fr').content, /travail \?$/);
  const again = retell('End with a question', `${OWN}\n\nWho ties yours?`).content;
  assert.doesNotMatch(again, /Who ties yours/);
  assert.match(retell('More personal, and end with a question').content, /where it breaks\.[\s\S]*\?$/);
});

test('what else is asked of it, and what is wrong with it then, makes no other post of it', () => {
  const { content } = retell('Mention the ferry');
  assert.ok(wordsOf(content).length < wordsOf(OWN).length);
  for (const sentence of content.split(/(?<=\.)\s+/)) assert.ok(OWN.includes(sentence), sentence);
  const mended = retell('Make it more personal', OWN, 'en', ['It says nothing concrete about the topic.']);
  assert.match(mended.content, /We repainted the board/);
});
