import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarity, trigrams } from '#sandbox/trigrams.ts';
import { writePost } from '#sandbox/writer.ts';
import { CLOSINGS, CONTEXTS, OPINIONS, PRACTICES } from '#sandbox/writer-blocks.ts';
import { readBrief } from '#sandbox/writer-brief.ts';
import { createWriterMemory } from '#sandbox/writer-memory.ts';
import { TONES, type Tone } from '#sandbox/writer-tones.ts';

const TONE_NAMES = Object.keys(TONES) as Tone[];

function prompt(tone: string, keywords = 'async communication, trust, onboarding') {
  return `Write a post.\n\`\`\`\nTopic: Remote Team Leadership\nDescription: Leading people who seldom meet.\nKeywords: ${keywords}\nTone: ${tone}\n\`\`\``;
}

function write(tone: string, count: number, fresh = false) {
  const memory = createWriterMemory();
  return Array.from({ length: count }, (_, at) =>
    writePost(fresh ? createWriterMemory() : memory, prompt(tone), at, null),
  );
}

/** How near each text comes to one before it. */
function nearness(posts: { content: string }[]): number[] {
  const sets = posts.map(({ content }) => trigrams(content));
  return sets.map((set, at) => Math.max(0, ...sets.slice(0, at).map((earlier) => similarity(set, earlier))));
}

for (const tone of TONE_NAMES) {
  test(`90 ${tone} posts of the same topic stay unlike each other`, () => {
    const nearest = Math.max(...nearness(write(tone, 90)));
    assert.ok(nearest < 0.6, `nearest ${nearest}`);
  });
}

test('even a writer that remembers nothing repeats itself once in 30 posts at most', () => {
  for (const tone of TONE_NAMES) {
    const repeated = nearness(write(tone, 90, true)).filter((near) => near >= 0.6);
    assert.ok(repeated.length <= 3, `${tone}: ${repeated.length}`);
  }
});

test('every post is of a decent length, opens above the fold and has no mark-up', () => {
  for (const { content, hashtags } of TONE_NAMES.flatMap((tone) => write(tone, 20))) {
    const [opening = '', ...paragraphs] = content.split('\n\n');
    assert.ok(content.length >= 600 && content.length <= 1300, `${content.length} characters`);
    assert.ok(opening.length < 210, opening);
    assert.ok(paragraphs.length >= 4);
    assert.match(content, /remote team leadership|async communication|trust|onboarding/i);
    assert.doesNotMatch(content, /[{}[\]*_#<>]|https?:|undefined/);
    assert.ok(hashtags.length >= 3 && hashtags.length <= 5);
    for (const tag of hashtags) assert.match(tag, /^[\p{L}\p{N}]+$/u);
  }
});

test('no building block claims a number, a name, a story, or is worn out', () => {
  const blocks = [...CONTEXTS, ...PRACTICES, ...OPINIONS, ...CLOSINGS];
  for (const tone of Object.values(TONES)) blocks.push(...tone.openings, ...tone.remarks, ...tone.closings);
  const worn =
    /game.?chang|fast-paced|dive in|deep dive|unlock|leverage|delve|landscape|journey|navigat|elevate|foster|empower|crucial|seamless|robust|synerg|harness|here's the thing|let that sink|at the end of the day|best practice|move the needle/i;
  const numbers =
    /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundreds?|thousands?|percent|twice|half|double)\b/i;
  assert.equal(new Set(blocks).size, blocks.length);
  for (const block of blocks) {
    assert.doesNotMatch(block, worn);
    assert.doesNotMatch(block, numbers);
    assert.doesNotMatch(block, /\b(I|me|my|mine|we|us|our|ours)\b/);
    assert.doesNotMatch(block, /(?<![.?!:;] )(?<!^)\b[A-Z][a-z]/, block);
    assert.doesNotMatch(block, /—|!/);
  }
});

test('lines of the prompt are not used as openings again', () => {
  const said = TONES.casual.openings
    .slice(0, 10)
    .map((opening) => opening.replaceAll('{t}', 'remote team leadership').replaceAll('{k}', 'trust'));
  for (let at = 0; at < 20; at += 1) {
    const text = `${prompt('casual', 'trust')}\nDo not open with:\n${said.map((line) => `- ${line}`).join('\n')}`;
    const [opening = ''] = writePost(createWriterMemory(), text, at, null).content.split('\n\n');
    assert.ok(
      said.every((line) => similarity(trigrams(line), trigrams(opening)) < 0.5),
      opening,
    );
  }
});

test('the brief is read whatever the layout of the prompt', () => {
  const brief = readBrief(
    '- TOPIC NAME: "AI in Logistics"\n* **Tone**: Humorous\nkeywords:\n- route planning\n- Last mile\nFacts:\n1. The depot moved in spring.\nInstruction: make it shorter',
  );
  assert.equal(brief.topic, 'AI in logistics');
  assert.deepEqual(brief.keywords.slice(0, 2), ['route planning', 'last mile']);
  assert.equal(brief.tone, 'humorous');
  assert.deepEqual(brief.facts, ['The depot moved in spring.']);
  assert.match(brief.instruction, /shorter/);
});

test('a fact is told as it was given, and a shorter post is shorter', () => {
  const fact = 'The support team answers in the language of the customer.';
  const { content } = writePost(createWriterMemory(), `${prompt('casual')}\nFacts:\n- ${fact}`, 1, null);
  assert.ok(content.includes(fact));
  const short = writePost(createWriterMemory(), `${prompt('casual')}\nInstruction: shorter`, 1, null);
  assert.ok(short.content.length < 800);
});

test('the same prompts in the same order give the same posts', () => {
  assert.deepEqual(write('educational', 5), write('educational', 5));
});
