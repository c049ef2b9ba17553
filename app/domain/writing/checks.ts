import { POST_MAX } from '#app/domain/posts/limits.ts';
import { commentaryLength } from '#app/integrations/little-text.ts';
import type { Draft } from './draft.ts';
import type { PromptTopic } from './prompt.ts';
import { instructionLines } from './prompt-texts.ts';
import { STOCK_PHRASES } from './stock-phrases.ts';

const CONTENT_MIN = 200;
const CONTENT_MAX = 2_800;
const FOLD_CHARACTERS = 210;
const STOP_WORDS = new Set(['with', 'from', 'your', 'that', 'this', 'what', 'when', 'about', 'into', 'have']);

export type CheckedAgainst = { topic: PromptTopic; given: string };

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const numbers = (text: string) => text.match(/\d+(?:[.,]\d+)*/g) ?? [];

/** Hashtags as they are stored: without #, letters and digits only, no repetition. */
export function tidyHashtags(hashtags: string[]): string[] {
  const seen = new Set<string>();
  return hashtags
    .map((tag) => tag.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((tag) => tag !== '' && !seen.has(tag.toLowerCase()) && seen.add(tag.toLowerCase()));
}

type Check = (draft: Draft, against: CheckedAgainst) => string | false;

const isTooShort: Check = ({ content }) =>
  content.length < CONTENT_MIN && `It has ${content.length} characters; at least ${CONTENT_MIN} are needed.`;

const isTooLong: Check = ({ content, hashtags }) =>
  (content.length > CONTENT_MAX || commentaryLength(content, hashtags) > POST_MAX) &&
  `It has ${content.length} characters; at most ${CONTENT_MAX} are allowed.`;

const hasWrongHashtags: Check = ({ hashtags }) =>
  (hashtags.length < 3 || hashtags.length > 5) && 'Give 3 to 5 different hashtags of letters and digits.';

const hasHashtagsInside: Check = ({ content }) =>
  /(^|\s)#[\p{L}\p{N}]/u.test(content) && 'Leave hashtags out of the text; return them separately.';

const hasNul: Check = ({ content }) =>
  content.includes('\0') && 'It contains a character that cannot be stored.';

const hasMarkdown: Check = ({ content }) =>
  /\*\*|__|```|^#{1,6} |\[[^\]]+\]\([^)]+\)|^\s*[*+] /m.test(content) &&
  'It contains Markdown; use plain text.';

const hasPlaceholder: Check = ({ content }) =>
  /\[[A-Z][^\]\n]{1,40}\]|\{\{|<[A-Z][a-z]+ ?[A-Za-z]*>|\bLorem ipsum\b/.test(content) &&
  'It contains a placeholder; write the real words or leave them out.';

const speaksAsModel: Check = ({ content }) =>
  /\bas an? (AI|artificial|language model)/i.test(content) && 'It speaks as a model.';

const repeatsPrompt: Check = ({ content }) =>
  (instructionLines.some((line) => content.includes(line)) || /<\/?data-/.test(content)) &&
  'It repeats the instructions.';

const hasForeignLink: Check = ({ content }, { given }) => {
  const links = content.match(/https?:\/\/\S+|\bwww\.\S+/gi) ?? [];
  return links.some((link) => !given.includes(link)) && 'It contains a link that was not given.';
};

const hasForeignNumber: Check = ({ content }, { given }) => {
  // Small whole numbers count steps and questions; they claim nothing.
  const known = new Set(numbers(given));
  const foreign = numbers(content).filter((n) => !known.has(n) && !/^\d$|^10$/.test(n));
  return foreign.length > 0 && `It states a number that was not given: ${foreign[0]}.`;
};

const hasStockPhrase: Check = ({ content }) => {
  const text = content.toLowerCase().replaceAll('’', "'");
  const found = STOCK_PHRASES.find(({ phrase }) => text.includes(phrase));
  return found !== undefined && `It uses the stock phrase "${found.phrase}".`;
};

const opensTooLong: Check = ({ content }) =>
  content.split('\n')[0]!.length > FOLD_CHARACTERS &&
  `The first line is cut at the fold; at most ${FOLD_CHARACTERS} characters.`;

const saysNothingOfTopic: Check = ({ content }, { topic }) => {
  const text = new Set(words(content));
  const concrete = [topic.name, ...topic.keywords, topic.description]
    .flatMap(words)
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word));
  const isMentioned = concrete.some((word) => text.has(word) || content.toLowerCase().includes(word));
  return concrete.length > 0 && !isMentioned && 'It says nothing concrete about the topic.';
};

const CHECKS: Check[] = [
  isTooShort,
  isTooLong,
  hasWrongHashtags,
  hasHashtagsInside,
  hasNul,
  hasMarkdown,
  hasPlaceholder,
  speaksAsModel,
  repeatsPrompt,
  hasForeignLink,
  hasForeignNumber,
  hasStockPhrase,
  opensTooLong,
  saysNothingOfTopic,
];

/** Why a draft can't be stored; none when it can. */
export function problemsOf(draft: Draft, against: CheckedAgainst): string[] {
  return CHECKS.map((check) => check(draft, against)).filter((problem) => problem !== false);
}
