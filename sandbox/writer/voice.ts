import type { Brief } from './brief.ts';
import { remembered } from './memoize.ts';
import type { Stock, Texts } from './stock.ts';
import {
  asGiven,
  capital,
  hasWord,
  inSentence,
  isEnglish,
  isSameMould,
  plain,
  sentencesOf,
  short,
  spaced,
  subjectsOf,
  wordsOf,
} from './words.ts';

/** Within so many posts of an author no sentence comes twice, as far as the stock goes. */
export const LOOKED_BACK = 30;
const MOST_OPENING = 200;
const LONGEST_READER = 70;

/** After how many posts of its author each text of the stock was used last, and what each post was about. */
export type AuthorMemory = { posts: number; uses: Map<string, number>; closings: string[]; hashtags: number };

/** What stands in a post: the text of the stock, and as it reads there. */
export type Said = { template: string; text: string; isRepeated: boolean; fact?: number };

const QUOTES: Record<string, [string, string]> = { de: ['„', '“'], es: ['«', '»'], fr: ['« ', ' »'] };
const CONTRACTED: [RegExp, string][] = [
  [/\b(do|does|is|are|was|would|should|has|have)(?:) not (?=\p{L})/gu, "$1n't "],
  [/\b(it|that|there|he|she) is (?=(?!not\b)\p{L})/giu, "$1's "],
  [/\b(you|they|we) are (?=(?!not\b)\p{L})/giu, "$1're "],
  [/\bcannot\b/g, "can't"],
];

export const contracted = remembered((text) =>
  CONTRACTED.reduce((so, [full, small]) => so.replace(full, small), text),
);

/** The words of the topic as this language takes them into a sentence: the name, and keywords in turn. */
export function wordsOfTopic({ topic, keywords, description, language }: Brief, fallback: string): string[] {
  const [open, close] = QUOTES[language] ?? ['“', '”'];
  const isClause = (text: string) =>
    /^(?:how|why|what|when|where|who|wie|warum|was|cómo|comment|pourquoi)\b/iu.test(text);
  const quoted = (text: string) =>
    (language !== 'en' && language !== 'hi' && isEnglish(text)) || isClause(text);
  const name = short(topic) || short(description.split(/[.:;!?\n]/)[0]!);
  // In Hindi a postposition follows the topic wherever it stands in a sentence.
  const oblique = (text: string) => (language === 'hi' ? text.replace(/ का (?=\S)/g, ' के ') : text);
  const all = [name, ...keywords.map((each) => short(each))]
    .map(oblique)
    .filter((each) => /[\p{L}\p{M}]{2}/u.test(each))
    .map((each) =>
      quoted(each)
        ? `${open}${each}${close}`
        : inSentence(each, language, `${description} ${keywords.join(' ')}`),
    );
  const unique = [...new Set(all)];
  const plainOnes = unique.filter((each) => !each.startsWith(open.trim()));
  const first = plainOnes.length > 0 && unique[0] && isClause(name) ? plainOnes : unique;
  return first.length > 0 ? first : [fallback];
}

/** Chooses texts of the stock for one post: unused ones first, none with a word the author avoids or a phrase worn out. */
export class Voice {
  readonly taken: Said[] = [];
  readonly words: string[];
  private isNamed = false;
  private readonly worn: string[];

  readonly brief: Brief;
  readonly stock: Stock;
  readonly scene: Texts;
  readonly memory: AuthorMemory;

  constructor(brief: Brief, stock: Stock, scene: Texts, memory: AuthorMemory) {
    this.brief = brief;
    this.stock = stock;
    this.scene = scene;
    this.memory = memory;
    this.words = wordsOfTopic(brief, stock.frames.of.get('topic')?.[0] ?? 'work');
    this.worn = brief.worn.map(spaced).filter((phrase) => phrase.trim() !== '');
  }

  /** The best text for a role; undefined when there is none that may be used. */
  say(role: string, more: Record<string, string> = {}, from = this.poolOf(role)): Said | undefined {
    const found = from
      .filter((template) => !this.taken.some((each) => each.template === template))
      .map((template) => this.fillFreely(template, more))
      .map((said) => (isOpening(role) ? { ...said, isRepeated: !this.canOpenAgain(said.template) } : said))
      .filter((said) => this.isFree(said.text) && (!isOpening(role) || this.canOpen(said.text)))
      .sort((a, b) => this.lastUse(a.template) - this.lastUse(b.template));
    return found[0];
  }

  /** All texts for a role that may be used, in their order. */
  sayAll = (role: string): Said[] =>
    this.poolOf(role)
      .map((template) => this.fill(template, {}))
      .filter(({ text }) => this.isFree(text));

  take(said: Said): Said {
    this.taken.push(said);
    if (said.template.includes('{t}') || said.template.includes('{k}')) this.isNamed = true;
    return said;
  }

  private poolOf(role: string): string[] {
    const { of } = this.stock.frames;
    if (role !== 'remark') return this.scene.of.get(role) ?? of.get(role) ?? [];
    const rules = this.brief.tone === 'educational' ? (of.get('rule') ?? []) : [];
    return [...rules, ...(of.get(this.brief.tone) ?? [])];
  }

  private lastUse = (template: string) => this.memory.uses.get(template) ?? -1;

  private isFresh = (template: string) =>
    this.lastUse(template) < 0 || this.memory.posts - this.lastUse(template) >= LOOKED_BACK;

  /** Openings are remembered longest. */
  private canOpenAgain = (template: string) => this.lastUse(template) < 0;

  /** With another word of the topic where the usual one makes a phrase that is worn out. */
  private fillFreely(template: string, more: Record<string, string>): Said {
    const usual = this.fill(template, more);
    const echoes = (word: string) => subjectsOf(word).some((each) => hasWord(template, each));
    const isUsual = this.isFree(usual.text) && !echoes(this.words[0]!);
    if (!/\{[tTk]\}/.test(template) || isUsual) return usual;
    const words = [...this.words.filter((word) => !echoes(word)), ...this.words];
    const others = words.map((word) => this.fill(template, { ...more, t: word, T: capital(word), k: word }));
    return others.find(({ text }) => this.isFree(text)) ?? usual;
  }

  private fill(template: string, more: Record<string, string>): Said {
    const isRepeated = !this.isFresh(template);
    const { posts } = this.memory;
    const keyword = this.words[1 + (posts % Math.max(1, this.words.length - 1))] ?? this.words[0]!;
    const name = this.isNamed || isRepeated ? keyword : this.words[0]!;
    const reader = this.readerIn();
    const values: Record<string, string> = {
      t: name,
      T: capital(name),
      k: keyword,
      r: reader,
      R: capital(reader),
      ...more,
    };
    const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
    const isSpoken = this.brief.tone === 'casual' && this.brief.language === 'en' && more.f === undefined;
    return { template, text: capital(isSpoken ? contracted(filled) : filled), isRepeated };
  }

  readerIn(): string {
    const { reader, language } = this.brief;
    const found = short(reader, LONGEST_READER);
    const isForeign = language !== 'en' && (language === 'hi' ? /[a-z]{4}/i.test(found) : isEnglish(found));
    return isForeign || plain(reader).length > 2 * LONGEST_READER ? '' : inSentence(found, language, '');
  }

  private isFree(text: string): boolean {
    if (this.brief.avoided.some((word) => hasWord(text, word))) return false;
    const said = spaced(text);
    return !this.worn.some((phrase) => said.includes(phrase));
  }

  /** It fits above the fold and resembles no opening of before. */
  private canOpen = (text: string) =>
    text.length <= MOST_OPENING && !this.brief.openings.some((before) => isSameMould(before, text));

  /** A fact as it was given; a question is repeated in the words of those who ask it. */
  fact(number: number): Said | undefined {
    const given = asGiven(this.brief.facts[number - 1] ?? '');
    if (given === '' || this.brief.avoided.some((word) => hasWord(given, word))) return undefined;
    if (/[?？؟]$/.test(given)) {
      const asked = this.say('asked', { f: capital(given) });
      return asked && { ...asked, isRepeated: false, fact: number };
    }
    const end = this.brief.language === 'hi' && /\p{Script=Devanagari}/u.test(given) ? '।' : '.';
    const text = capital(/[.!…।]$/.test(given) ? given : `${given}${end}`);
    return { template: `fact ${text}`, text, isRepeated: false, fact: number };
  }

  /** The fact a post opens with, when it can. */
  openingFact(): Said | undefined {
    const numbers = this.brief.facts.map((_, at) => at + 1);
    const isCounted = (number: number) => /\p{N}/u.test(this.brief.facts[number - 1] ?? '');
    const wanted = this.brief.opening === 'number' ? numbers.filter(isCounted) : [1];
    const said = wanted.map((number) => this.fact(number)).filter((each) => each !== undefined);
    return said.find(
      ({ text }) =>
        !text.includes('“') && this.canOpen(sentencesOf(text)[0] ?? text) && text.length <= MOST_OPENING,
    );
  }

  /** How much a scene has to do with the topic; what needs a certain trade is far from all others. */
  get nearness(): number {
    const { topic, keywords, description, facts } = this.brief;
    const near = new Set((this.scene.of.get('near')?.[0] ?? '').split(' '));
    const count = (text: string) => new Set(wordsOf(text).filter((word) => near.has(word))).size;
    const named = count([topic, ...keywords].join(' '));
    const told = count([description, ...facts].join(' '));
    return Math.min(4, named * 2 + told) - (named + told === 0 && this.scene.of.has('special') ? 3 : 0);
  }
}

const OPENINGS = new Set(['scene', 'thing', 'claim', 'asks', 'situation', 'instruction']);
const isOpening = (role: string): boolean => OPENINGS.has(role);
