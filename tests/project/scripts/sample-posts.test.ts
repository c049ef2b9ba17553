import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '#app/domain/voice/limits.ts';
import { runGates } from '#app/domain/writing/gates/run.ts';
import { ANGLES, ENDINGS, LENGTHS } from '#app/domain/writing/generate/brief-kinds.ts';
import { closingOf, openingOf } from '#app/domain/writing/generate/context.ts';
import { ROOT } from '#scripts/run.ts';
import { makeSampleSheet } from '#scripts/writer/sample-sheet.ts';
import { SAMPLES, type Sample } from '#scripts/writer/samples.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

await startOutside();
Object.assign(process.env, { OPENAI_API_KEY: '', WRITER_PASSES: '2' });
const { db } = await testDatabase();
const SHEET = readFileSync(path.join(ROOT, 'docs/sample-posts.md'), 'utf8');
const [, ...people] = SHEET.split(/^## /m);

/** A post of the sheet, beside the brief it came from. */
function readSample(part: string, { topics, facts, voice }: Sample) {
  const line = (name: string) => new RegExp(`^- ${name}: (.+)$`, 'm').exec(part)?.[1] ?? '';
  const [, angle = '', opening, ending, length] =
    /^([\w-]+), opens with ([\w-]+), ends with ([\w-]+), limit \w+, (\w+)$/.exec(line('Angle')) ?? [];
  const text = part
    .split('\n')
    .flatMap((each) => (each.startsWith('>') ? each.slice(1).trim() : []))
    .join('\n');
  const at = text.lastIndexOf('\n\n');
  const given = line('Facts given');
  const told = facts.map(({ content }) => content).filter((fact) => given.includes(fact));
  return {
    angle,
    opening,
    ending,
    length,
    topic: topics.find(({ name }) => name === line('Topic')),
    facts: told.toSorted((a, b) => given.indexOf(a) - given.indexOf(b)),
    language: line('Language').split(',')[0]!,
    isOfVoice: line('Language').startsWith(LANGUAGES[voice.language]),
    draft: {
      content: text.slice(0, at),
      hashtags: text
        .slice(at)
        .trim()
        .split(' ')
        .map((tag) => tag.slice(1)),
      thesis: line('Thesis'),
      claims: [...line('Claims').matchAll(/“(.+?)” \(fact (\d+)\)/g)].map(([, said, fact]) => ({
        text: said!,
        fact: Number(fact),
      })),
    },
  };
}

const postsOf = (person: string, sample: Sample) =>
  person
    .split(/^### [\d.]+$/m)
    .slice(1)
    .map((part) => readSample(part, sample));

test('the sheet has four posts of each of five people, beside the briefs they came from', () => {
  assert.equal(SAMPLES.length, 5);
  assert.deepEqual(
    people.map((person) => person.split('\n')[0]),
    SAMPLES.map(({ name, voice }, nth) => `${nth + 1}. ${name}, ${voice.headline}`),
  );
  for (const [nth, sample] of SAMPLES.entries()) {
    const posts = postsOf(people[nth]!, sample);
    assert.equal(posts.length, 4, sample.name);
    for (const { angle, opening, ending, length, topic, isOfVoice } of posts) {
      const can = Object.entries(ANGLES)
        .find(([name]) => name === angle)?.[1]
        .map(String);
      assert.ok(can?.includes(opening!), `${angle} opens with ${opening}`);
      assert.ok(ENDINGS.map(String).includes(ending!) && LENGTHS.map(String).includes(length!));
      assert.ok(topic && isOfVoice, sample.name);
    }
    for (const kind of ['angle', 'opening', 'ending'] as const) {
      assert.equal(new Set(posts.map((post) => post[kind])).size, 4, `${sample.name}: ${kind}`);
    }
  }
});

test('every post of the sheet passes the gates as they are now', () => {
  for (const [nth, sample] of SAMPLES.entries()) {
    const before: { content: string; thesis: string }[] = [];
    const { voice } = sample;
    for (const { draft, topic, facts } of postsOf(people[nth]!, sample)) {
      const findings = runGates(draft, {
        topic: topic!,
        facts,
        language: voice.language,
        userInput: [voice.headline, voice.audience, voice.voiceNotes ?? ''].join('\n'),
        openings: before.map(({ content }) => openingOf(content)),
        closings: before.map(({ content }) => closingOf(content)),
        theses: before.map(({ thesis }) => thesis),
        phrases: [],
        avoided: voice.wordsToAvoid ?? [],
        hasEmoji: voice.hasEmoji ?? false,
      });
      assert.deepEqual(findings, [], draft.content.slice(0, 60));
      before.unshift(draft);
    }
  }
});

test('docs/sample-posts.md is what is written now; npm run sample-posts makes it again', async () => {
  const written = await makeSampleSheet(db);
  assert.equal(SHEET, written);
  assert.equal(written.split(/^### /m).length - 1, 20);
});
