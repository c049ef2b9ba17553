import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { isStressed } from '#app/domain/writing/gates/language/capitals.ts';
import { isFunctionWord } from '#app/domain/writing/gates/language/function-words.ts';
import { asWritten, fold, hasForm } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Reading } from '#app/domain/writing/gates/parsed-draft.ts';
import { AUTHORITY_NAMES, isFreeName, isPerson } from './known-names.ts';

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const START = '(?<![\\p{L}\\p{M}\\p{N}])';
/** "Microsoft Teams" is a tool that everybody has. */
const PRODUCT =
  /(?<!\p{L})(?:microsoft|amazon|apple|google) (?:365|teams|excel|word|office|outlook|windows|planner|copilot|forms|to do|web services|seller|marketplace|pay|watch|mail|notes|silicon|analytics|ads|business|search)(?!\p{L})/giu;
const AUTHORITY = new RegExp(`${START}(?:${[...AUTHORITY_NAMES].join('|')})${EDGE}`, 'gu');
const CAPITAL = /(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*(?:['’.&-]\p{L}[\p{L}\p{M}\p{N}]*)*/gu;
/** After these a capital opens something. */
const OPENS =
  /(?:^|(?:[.!?:;…।¿¡]|\p{Extended_Pictographic}|\ufe0f)\s?["'”“»«)]*|["“„«‹'‘(–—•\-→>|/]|\n)\s*$|»$/u;
const TITLED =
  /(?<!\p{L})(?:Mrs?|Ms|Dr|Prof|Herr|Herrn|Frau|Sra?|Señora?|Don|Doña|M|Mme|Mlle|Monsieur|Madame|श्री|श्रीमती|डॉ)\.?\s+(?:(?:Dr|Prof)\.?\s+)*(\p{Lu}[\p{L}\p{M}'’-]+|[\p{Script=Devanagari}\p{M}]{2,})/gu;
const COMPANY =
  /(?<!\p{L})((?:\p{Lu}[\p{L}\p{M}&-]*\s){1,3})(?:(?:GmbH|AG|SE|KG|UG|Inc|Ltd|LLC|Corp|SAS|SARL|S\.L|S\.A|Pvt)\b|& (?:Co|Sons|Söhne|Partners?|Associates|Fils|Cie|Hijos)(?!\p{L}))/gu;
/** What every company of the patterns has. */
const COMPANY_HINT =
  /& |(?:GmbH|AG|SE|KG|UG|Inc|Ltd|LLC|Corp|SAS|SARL|S\.L|S\.A|Pvt)\b|लिमिटेड|एंड|एंटरप्राइ|इंडस्ट्री|सॉल्यूशंस|टेक्नोलॉजी|ट्रेडर्स/u;
const COMPANY_HI =
  /([\p{Script=Devanagari}\p{M}]+) (?:प्राइवेट लिमिटेड|लिमिटेड|एंड संस|एंड कंपनी|एंटरप्राइज़ेज़|एंटरप्राइजेज|इंडस्ट्रीज़|इंडस्ट्रीज|सॉल्यूशंस|टेक्नोलॉजीज़|टेक्नोलॉजीज|ट्रेडर्स)/gu;
/** "TechNova": no noun has a capital inside, but for forms such as "KundInnen" and what programs call things. */
const BRAND = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+\p{Lu}\p{Ll}\p{L}*(?![\p{L}(])/gu;
const NO_BRAND = /Innen$|In$|(?:Exception|Error)$|^(?:Mc|Mac|De|Di|Van|Le|La)\p{Lu}/u;
/** A word that may be somebody's, and what could be a surname or a word of respect after it. */
const PERSON = /[\p{L}\p{M}]+(?=(\s+\p{Lu}[\p{L}\p{M}'’-]+|\s+जी(?!\p{M}))?)/gu;

const isGiven = ({ givenWords, against }: Reading, name: string) =>
  isFreeName(fold(name)) ||
  name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part.length > 1 && !(/^\p{Ll}/u.test(part) && /\p{Lu}/u.test(name)))
    .map(fold)
    .every((part) => isFreeName(part) || hasForm(givenWords, part, against.language));

/** Whether any of the words is one; it costs less than the patterns, which few texts need. */
function hasAny(words: Set<string>, isOne: (word: string) => boolean): boolean {
  for (const word of words) if (isOne(word)) return true;
  return false;
}
const AUTHORITY_WORDS = new Set([...AUTHORITY_NAMES].map((name) => name.split(' ')[0]!));
const isAuthorityWord = (word: string) => AUTHORITY_WORDS.has(word);

/** Names that every language betrays: titles, companies, authorities. */
function* plainNames({ content, folded, words }: Reading): Generator<string> {
  const told = hasAny(words, isAuthorityWord) ? folded.replace(PRODUCT, ' ') : '';
  for (const [found] of told.matchAll(AUTHORITY)) {
    if (isCapitalised(content, found)) yield asWritten(content, found, folded);
  }
  for (const [, name] of content.matchAll(TITLED)) yield name!;
  for (const pattern of COMPANY_HINT.test(content) ? [COMPANY, COMPANY_HI] : []) {
    for (const [, words] of content.matchAll(pattern)) {
      const name = words!.split(/\s/).filter((word) => word !== '' && !isFunctionWord(fold(word)));
      if (name.length > 0) yield name.join(' ');
    }
  }
  for (const [brand] of content.matchAll(BRAND)) if (!NO_BRAND.test(brand)) yield brand;
  if (hasAny(words, (word) => isPerson(word, true))) yield* people(content);
}

/** Persons by their given names, where nouns have a capital as well, or a script has none. */
function* people(content: string): Generator<string> {
  for (const [word, after = ''] of content.matchAll(PERSON)) {
    if (!/^(?:\p{Lu}|\p{Script=Devanagari})/u.test(word)) continue;
    if (isPerson(fold(word), after !== '')) yield word + (after.trim() === 'जी' ? '' : after);
  }
}

const ACRONYM = /^(?:mit|bcg|pwc|kpmg|insead)$/;

/** "Apple" is a company where it has a capital, and fruit where it has none. */
function isCapitalised(content: string, found: string): boolean {
  if (!/\p{Script=Latin}/u.test(found)) return true;
  if (ACRONYM.test(found)) return new RegExp(`${START}${found.toUpperCase()}${EDGE}`, 'u').test(content);
  return new RegExp(`${START}${found.replace(/(?<!\S)./g, (first) => first.toUpperCase())}`, 'u').test(
    content,
  );
}

/** "Part II", "Step One" and "Head of Coffee" name a place in an order, and an office. */
const LABEL =
  /(?<!\p{L})(?:(?:Part|Step|Phase|Chapter|Level|Stage|Option|Section|Day|Rule) (?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|\p{Lu}+|\d+)|(?:Head|Director|Chief|VP) of \p{Lu}[\p{L}\p{M}]*)(?!\p{L})/gu;

/** Whatever has a capital inside a sentence; where nouns have one this says nothing. */
function* capitals({ content: written, against }: Reading): Generator<string> {
  const content = written
    .replace(PRODUCT, (product) => product.toLowerCase())
    .replace(LABEL, (label) => label.toLowerCase())
    .replace(/<\p{L}+>/gu, (key) => key.toLowerCase());
  if (/^(?:de|lb)\b/.test(against.language)) return;
  let end = -1;
  for (const match of content.matchAll(CAPITAL)) {
    const [word] = match;
    const isNext = end >= 0 && /^\s$/.test(content.slice(end, match.index));
    const opens = OPENS.test(content.slice(Math.max(0, match.index - 6), match.index)) || match.index === 0;
    end = match.index + word.length;
    // Two capitals at the start of a sentence are a name as well; the second one shows it.
    if (opens && !isNext) continue;
    if (isShort(word) || isStressed(word, content)) continue;
    yield word;
  }
}

/** "VAT", "CNC", "B2B": abbreviations of a trade. */
const isShort = (word: string) => /^[\p{Lu}\p{N}&.-]{1,5}s?$/u.test(word);

const names: Gate = {
  name: 'names',
  find: (text) => {
    for (const name of [...plainNames(text), ...capitals(text)]) {
      if (isGiven(text, name.replace(/['’]s$/, ''))) continue;
      return {
        forWriter: `It names somebody or something that was not given: ${name}. Leave the name out.`,
        forUser: `It named somebody or something that you did not: ${name}`,
      };
    }
    return undefined;
  },
};

export const NAME_GATES: Gate[] = [names];
