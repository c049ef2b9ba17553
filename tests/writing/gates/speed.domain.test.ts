import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import { parseDraft } from '#app/domain/writing/gates/parsed-draft.ts';
import { GATES, type GateContext, runGates, tidyDraft } from '#app/domain/writing/gates/run.ts';
import type { Draft } from '#app/domain/writing/generate/draft.ts';

const MOST_MS = 250;
const AGAINST: GateContext = {
  topic: { name: 'Planning', description: '', keywords: ['lists'] },
  facts: ['We closed the shop on Mondays in 2023 and lost three regulars'],
  userInput: 'Planning\nlists',
  language: 'en',
  openings: ['A list hangs on the wall.'],
  closings: ['Nobody owns the list.'],
  theses: ['A list is enough'],
  phrases: ['on the wall'],
  avoided: ['journey'],
  hasEmoji: false,
};
const draftOf = (content: string): Draft => ({
  content,
  hashtags: ['Planning', 'Lists', 'Teams'],
  thesis: 'A list on the wall is enough',
  claims: [],
});

const filled = (part: string, before = 'Planning', after = 'lists') =>
  before + part.repeat(Math.floor((POST_MAX - before.length - after.length) / part.length)) + after;

const HOSTILE: Record<string, string> = {
  newlines: filled('\n'),
  'lines of spaces': filled(' \n'),
  spaces: filled(' '),
  tabs: filled('\t'),
  quotes: filled('"'),
  'opened quotes': filled(' "a'),
  'German quotes': filled('„'),
  guillemets: filled('«'),
  'square brackets': filled('['),
  'curly brackets': filled('{'),
  angles: filled('<'),
  'links of Markdown': filled('[a]('),
  stars: filled('*'),
  'stars and letters': filled(' *a'),
  underscores: filled(' _a'),
  dashes: filled('-'),
  rules: filled('- '),
  pipes: filled('|'),
  backticks: filled('`'),
  capitals: filled('A'),
  'words with capitals': filled('Aa '),
  'names with dots': filled('A.'),
  'numbers with commas': filled('12,'),
  'numbers with spaces': filled('12 '),
  digits: filled('1'),
  'number words': filled('twenty-'),
  'numbers of thousands': filled('123.456 '),
  'one word': filled('a'),
  'short words': filled('we '),
  'the same verb': filled('we have '),
  'ich habe': filled('ich habe ge'),
  'I, without an end': filled('i '),
  'not just': filled('it is not just '),
  'not, in French': filled("ce n'est pas "),
  'not, in Hindi': filled('सिर्फ '),
  Devanagari: filled('क'),
  'Devanagari with marks': filled('के'),
  Han: filled('會'),
  Thai: filled('ก'),
  accents: filled('\u0301'),
  hosts: filled('a.'),
  'hosts with hyphens': filled('a-'),
  addresses: filled('https://'),
  mails: filled('a@'),
  'letters before a mail': filled('a', '', '@a'),
  emoji: filled('👍'),
  'full stops': filled('.'),
  'short sentences': filled('No a. '),
  hashes: filled('#'),
  drafts: filled('here is the '),
  'data marks': filled('<data-'),
};

/** The CPU that it takes: what is over the limit is tried again, for it may have met the garbage collector. */
function leastMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > MOST_MS; tries += 1) {
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

test('no gate takes long, whatever the writer sends', () => {
  // The patterns are made ready for both widths of letters.
  for (const text of ['Planning with 12 lists.', 'Planning – सिर्फ'])
    for (const language of ['en', 'ja']) runGates(draftOf(text), { ...AGAINST, language });
  const slow: string[] = [];
  for (const [name, content] of Object.entries(HOSTILE)) {
    for (const language of ['en', 'ja']) {
      const reading = parseDraft(draftOf(content), { ...AGAINST, language });
      for (const gate of GATES) {
        const took = leastMs(() => gate.find(reading));
        if (took > MOST_MS) slow.push(`${gate.name} takes ${Math.round(took)} ms for ${name} (${language})`);
      }
    }
  }
  assert.deepEqual(slow, []);
});

test('of a text that is longer than the network takes only its length is told', () => {
  const findings = runGates(draftOf('{"content": 47 percent} '.repeat(200)), AGAINST);
  assert.deepEqual(
    findings.map(({ gate }) => gate),
    ['length'],
  );
});

test('a gap of many lines becomes one empty line', () => {
  assert.equal(
    tidyDraft(draftOf('One.\n\n\n \n\nTwo.\n\nThree.\nFour.')).content,
    'One.\n\nTwo.\n\nThree.\nFour.',
  );
});
