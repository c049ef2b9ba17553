import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GateContext } from '#app/domain/writing/gates/run.ts';
import type { Draft } from '#app/domain/writing/generate/draft.ts';

export const LANGUAGES = ['en', 'de', 'es', 'fr', 'hi'] as const;
type Language = (typeof LANGUAGES)[number];

export type Text = { title: string; gates: string[]; draft: Draft; against: GateContext };

const KEY =
  /^(topic|description|keywords|fact|given|tags|thesis|claim|gates|opening|closing|earlier|phrase|avoid|emoji|rule|angle): ?(.*)$/;
/** What stands in a file as an escape because nobody could see it. */
const shown = (text: string) =>
  text.replace(/\\u\{?([0-9a-f]{4,6})\}?/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
const listOf = (line = '') =>
  line
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** `.^2` after a sentence says that the second fact supports it. */
const MARK = /\^(\d+)/g;
const SENTENCE = /[^.!?।\n]*[.!?।:"”»)]*$/u;

function claimsIn(body: string): Draft['claims'] {
  return [...body.matchAll(MARK)].map(({ 1: fact, index }) => {
    const before = body.slice(0, index).replace(MARK, '');
    return { text: SENTENCE.exec(before.trimEnd())![0].trim(), fact: Number(fact) };
  });
}

/**
 * One text of a file: `# title`, lines `key: value`, an empty line, the post. What a filler text does not say is
 * taken from `base`, the first text of its file.
 */
function readText(
  part: string,
  language: Language,
  base?: Map<string, string[]>,
): [Text, Map<string, string[]>] {
  const [title = '', ...lines] = part.split('\n');
  const values = new Map<string, string[]>(base);
  const own = new Set<string>();
  const rest = lines.filter((line) => {
    const [, key, value] = KEY.exec(line) ?? [];
    if (!key) return true;
    values.set(key, own.has(key) ? [...values.get(key)!, shown(value!)] : [shown(value!)]);
    own.add(key);
    return false;
  });
  const all = (key: string) => values.get(key) ?? [];
  const one = (key: string) => all(key)[0] ?? '';
  const body = shown(rest.join('\n').trim());
  const topic = { name: one('topic'), description: one('description'), keywords: listOf(one('keywords')) };
  const claims = all('claim').map((line) => {
    const [, fact, text] = /^(-?\d+|null) (.*)$/.exec(line)!;
    return { text: text!, fact: fact === 'null' ? null : Number(fact) };
  });
  const tags = values.has('tags')
    ? listOf(one('tags'))
    : topic.keywords.slice(0, 5).map((word) => word.replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
  const text = {
    title,
    gates: listOf(one('gates')),
    draft: {
      content: body.replace(MARK, ''),
      hashtags: tags,
      thesis: one('thesis'),
      claims: [...claims, ...claimsIn(body)],
    },
    against: {
      topic,
      facts: all('fact'),
      userInput: [topic.name, topic.description, ...topic.keywords, ...all('fact'), ...all('given')].join(
        '\n',
      ),
      language,
      openings: all('opening'),
      closings: all('closing'),
      theses: all('earlier'),
      phrases: all('phrase'),
      avoided: all('avoid'),
      hasEmoji: one('emoji') === 'yes',
      isChecklist: one('angle') === 'checklist',
      rules: all('rule'),
    },
  };
  return [text, values];
}

const parts = (kind: string, language: Language) =>
  readFileSync(path.join(import.meta.dirname, kind, `${language}.md`), 'utf8')
    .split(/^# /m)
    .slice(1);

const EARLIER = 10;
const linesOf = ({ draft }: Text) => draft.content.split('\n').filter((line) => line.trim());

/** Texts as people write them; each comes after the ten before it, as the next post of one author would. */
export function honestTexts(language: Language): Text[] {
  const texts = parts('honest', language).map((part) => readText(part, language)[0]);
  return texts.map((text, at) => {
    const before = texts.slice(Math.max(0, at - EARLIER), at);
    const openings = before.map((each) => linesOf(each)[0]!);
    return {
      ...text,
      against: { ...text.against, openings, closings: before.map((each) => linesOf(each).at(-1)!) },
    };
  });
}

/** Texts that nobody would sign, each with the gates that refuse it. */
export function fillerTexts(language: Language): Text[] {
  const [base = '', ...others] = parts('filler', language);
  const [, values] = readText(base, language);
  return others.map((part) => readText(part, language, values)[0]);
}
