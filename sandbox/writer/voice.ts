import type { Brief } from './brief.ts';
import { memoize } from './memoize.ts';
import type { Stock, Texts } from './stock.ts';
import {
  capital,
  cleanFact,
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

/** A text of the stock is used again only after this many posts of the author, if there are enough texts. */
export const REUSE_AFTER_POSTS = 30;
const MOST_OPENING = 200;
const LONGEST_READER = 70;

/** `uses`: the number of the author's posts at the last use of each text. */
export type AuthorMemory = { posts: number; uses: Map<string, number>; closings: string[]; hashtags: number };

/** `template`: the text of the stock. `text`: as it reads in the post. */
export type ChosenText = { template: string; text: string; isRepeated: boolean; fact?: number };

const QUOTES: Record<string, [string, string]> = { de: ['„', '“'], es: ['«', '»'], fr: ['« ', ' »'] };
const CONTRACTIONS: [RegExp, string][] = [
  [/\b(do|does|is|are|was|would|should|has|have)(?:) not (?=\p{L})/gu, "$1n't "],
  [/\b(it|that|there|he|she) is (?=(?!not\b)\p{L})/giu, "$1's "],
  [/\b(you|they|we) are (?=(?!not\b)\p{L})/giu, "$1're "],
  [/\bcannot\b/g, "can't"],
];

export const contractWords = memoize((text) =>
  CONTRACTIONS.reduce((result, [full, contracted]) => result.replace(full, contracted), text),
);

/** The name and the keywords of the topic, in the form in which they stand inside a sentence of the language. */
export function wordsOfTopic({ topic, keywords, description, language }: Brief, fallback: string): string[] {
  const [open, close] = QUOTES[language] ?? ['“', '”'];
  const isClause = (text: string) =>
    /^(?:how|why|what|when|where|who|wie|warum|was|cómo|comment|pourquoi)\b/iu.test(text);
  const needsQuotes = (text: string) =>
    (language !== 'en' && language !== 'hi' && isEnglish(text)) || isClause(text);
  const name = short(topic) || short(description.split(/[.:;!?\n]/)[0]!);
  // In Hindi the topic is always followed by a postposition.
  const oblique = (text: string) => (language === 'hi' ? text.replace(/ का (?=\S)/g, ' के ') : text);
  const all = [name, ...keywords.map((each) => short(each))]
    .map(oblique)
    .filter((each) => /[\p{L}\p{M}]{2}/u.test(each))
    .map((each) =>
      needsQuotes(each)
        ? `${open}${each}${close}`
        : inSentence(each, language, `${description} ${keywords.join(' ')}`),
    );
  const unique = [...new Set(all)];
  const unquoted = unique.filter((each) => !each.startsWith(open.trim()));
  const words = unquoted.length > 0 && unique[0] && isClause(name) ? unquoted : unique;
  return words.length > 0 ? words : [fallback];
}

/** Chooses texts of the stock for one post: least recently used first, without avoided words and overused phrases. */
export class Voice {
  readonly used: ChosenText[] = [];
  readonly words: string[];
  private isNamed = false;
  private readonly overused: string[];

  readonly brief: Brief;
  readonly stock: Stock;
  readonly scene: Texts;
  readonly memory: AuthorMemory;

  constructor(brief: Brief, stock: Stock, scene: Texts, memory: AuthorMemory) {
    this.brief = brief;
    this.stock = stock;
    this.scene = scene;
    this.memory = memory;
    this.words = wordsOfTopic(brief, stock.frames.byRole.get('topic')?.[0] ?? 'work');
    this.overused = brief.overused.map(spaced).filter((phrase) => phrase.trim() !== '');
  }

  /** The best usable text for a role, if any. */
  choose(role: string, more: Record<string, string> = {}, from = this.poolOf(role)): ChosenText | undefined {
    const candidates = from
      .filter((template) => !this.used.some((each) => each.template === template))
      .map((template) => this.fillBest(template, more))
      .map((text) => (isOpening(role) ? { ...text, isRepeated: !this.isUnused(text.template) } : text))
      .filter(({ text }) => this.isAllowed(text) && (!isOpening(role) || this.canOpen(text)))
      .sort((a, b) => this.lastUse(a.template) - this.lastUse(b.template));
    return candidates[0];
  }

  /** All usable texts for a role, in the order of the stock. */
  chooseAll = (role: string): ChosenText[] =>
    this.poolOf(role)
      .map((template) => this.fill(template, {}))
      .filter(({ text }) => this.isAllowed(text));

  use(text: ChosenText): ChosenText {
    this.used.push(text);
    if (text.template.includes('{t}') || text.template.includes('{k}')) this.isNamed = true;
    return text;
  }

  private poolOf(role: string): string[] {
    const { byRole } = this.stock.frames;
    if (role !== 'remark') return this.scene.byRole.get(role) ?? byRole.get(role) ?? [];
    const rules = this.brief.tone === 'educational' ? (byRole.get('rule') ?? []) : [];
    return [...rules, ...(byRole.get(this.brief.tone) ?? [])];
  }

  private lastUse = (template: string) => this.memory.uses.get(template) ?? -1;

  private isFresh = (template: string) =>
    this.lastUse(template) < 0 || this.memory.posts - this.lastUse(template) >= REUSE_AFTER_POSTS;

  /** An opening counts as repeated in all later posts. */
  private isUnused = (template: string) => this.lastUse(template) < 0;

  /** Uses another word of the topic where the first one repeats a word of the template or makes a disallowed phrase. */
  private fillBest(template: string, more: Record<string, string>): ChosenText {
    const first = this.fill(template, more);
    const echoes = (word: string) => subjectsOf(word).some((each) => hasWord(template, each));
    const isFine = this.isAllowed(first.text) && !echoes(this.words[0]!);
    if (!/\{[tTk]\}/.test(template) || isFine) return first;
    const words = [...this.words.filter((word) => !echoes(word)), ...this.words];
    const others = words.map((word) => this.fill(template, { ...more, t: word, T: capital(word), k: word }));
    return others.find(({ text }) => this.isAllowed(text)) ?? first;
  }

  private fill(template: string, more: Record<string, string>): ChosenText {
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
    const usesContractions =
      this.brief.tone === 'casual' && this.brief.language === 'en' && more.f === undefined;
    return { template, text: capital(usesContractions ? contractWords(filled) : filled), isRepeated };
  }

  readerIn(): string {
    const { reader, language } = this.brief;
    const phrase = short(reader, LONGEST_READER);
    const isForeign = language !== 'en' && (language === 'hi' ? /[a-z]{4}/i.test(phrase) : isEnglish(phrase));
    return isForeign || plain(reader).length > 2 * LONGEST_READER ? '' : inSentence(phrase, language, '');
  }

  private isAllowed(text: string): boolean {
    if (this.brief.avoided.some((word) => hasWord(text, word))) return false;
    const words = spaced(text);
    return !this.overused.some((phrase) => words.includes(phrase));
  }

  /** The text fits above the fold of a post and resembles no earlier opening. */
  private canOpen = (text: string) =>
    text.length <= MOST_OPENING && !this.brief.openings.some((before) => isSameMould(before, text));

  /** The text of a fact. A fact that is a question is wrapped in a text of the role `asked`. */
  fact(number: number): ChosenText | undefined {
    const content = cleanFact(this.brief.facts[number - 1] ?? '');
    if (content === '' || this.brief.avoided.some((word) => hasWord(content, word))) return undefined;
    if (/[?？؟]$/.test(content)) {
      const question = this.choose('asked', { f: capital(content) });
      return question && { ...question, isRepeated: false, fact: number };
    }
    const end = this.brief.language === 'hi' && /\p{Script=Devanagari}/u.test(content) ? '।' : '.';
    const text = capital(/[.!…।]$/.test(content) ? content : `${content}${end}`);
    return { template: `fact ${text}`, text, isRepeated: false, fact: number };
  }

  /** The fact that can open the post, if any. */
  openingFact(): ChosenText | undefined {
    const numbers = this.brief.facts.map((_, index) => index + 1);
    const hasNumber = (number: number) => /\p{N}/u.test(this.brief.facts[number - 1] ?? '');
    const candidates = this.brief.opening === 'number' ? numbers.filter(hasNumber) : [1];
    const facts = candidates.map((number) => this.fact(number)).filter((each) => each !== undefined);
    return facts.find(
      ({ text }) =>
        !text.includes('“') && this.canOpen(sentencesOf(text)[0] ?? text) && text.length <= MOST_OPENING,
    );
  }

  /** How closely the scene matches the topic. A scene of a special trade matches only topics that name it. */
  get nearness(): number {
    const { topic, keywords, description, facts } = this.brief;
    const near = new Set((this.scene.byRole.get('near')?.[0] ?? '').split(' '));
    const count = (text: string) => new Set(wordsOf(text).filter((word) => near.has(word))).size;
    const named = count([topic, ...keywords].join(' '));
    const mentioned = count([description, ...facts].join(' '));
    return (
      Math.min(4, named * 2 + mentioned) -
      (named + mentioned === 0 && this.scene.byRole.has('special') ? 3 : 0)
    );
  }
}

const OPENINGS = new Set(['scene', 'thing', 'claim', 'asks', 'situation', 'instruction']);
const isOpening = (role: string): boolean => OPENINGS.has(role);
