// LinkedIn silently truncates a post at the first of these that is not escaped.
const RESERVED = /[\\|{}@[\]()<>#*_~]/g;
// LinkedIn ends a hashtag at anything but letters, digits, and the marks that belong to them.
const HASHTAG = /#([\p{L}\p{N}][\p{L}\p{N}\p{M}]*)/gu;
/** An escape, a hashtag or plain text. */
const TOKENS = /\\(.)|#[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\\#]+/gu;
const NOT_IN_HASHTAG = /^\p{M}+|[^\p{L}\p{N}\p{M}]+\p{M}*/gu;

/** Escapes a text for the `commentary` field. */
export const escapeLittleText = (text: string) => text.replace(RESERVED, '\\$&');

/**
 * Returns the `commentary` of a post: the escaped content, a blank line, and the hashtags. A hashtag that the content already
 * contains stays in place and is not repeated at the end. Every other # is escaped.
 */
export function commentaryOf(content: string, hashtags: string[]): string {
  const wanted = new Map(hashtags.map(cleanHashtag).flatMap((tag) => (tag ? [[keyOf(tag), tag]] : [])));
  const seen = new Set<string>();
  let escaped = '';
  let end = 0;
  for (const { 0: hashtag, 1: word, index } of content.matchAll(HASHTAG)) {
    const key = keyOf(word!);
    if (!wanted.has(key) || isInsideWord(content, index, hashtag.length)) continue;
    seen.add(key);
    escaped += escapeLittleText(content.slice(end, index)) + hashtag;
    end = index + hashtag.length;
  }
  escaped += escapeLittleText(content.slice(end));
  const tail = [...wanted].filter(([key]) => !seen.has(key)).map(([, tag]) => `#${tag}`);
  return [escaped.trimEnd(), tail.join(' ')].filter(Boolean).join('\n\n');
}

export type TextPart = { text: string; isHashtag: boolean };

/** Returns a post as LinkedIn renders it: without escapes, and with its hashtags as links. */
export function parseLittleText(content: string, hashtags: string[]): TextPart[] {
  const parts: TextPart[] = [];
  for (const { 0: token, 1: escaped } of commentaryOf(content, hashtags).matchAll(TOKENS)) {
    const isHashtag = token.startsWith('#');
    const last = parts.at(-1);
    if (last && !isHashtag && !last.isHashtag) last.text += escaped ?? token;
    else parts.push({ text: escaped ?? token, isHashtag });
  }
  return parts;
}

/** The length of a post as LinkedIn counts it, in UTF-16 units. */
export const commentaryLength = (content: string, hashtags: string[]) =>
  commentaryOf(content, hashtags).length;

const cleanHashtag = (tag: string) => tag.replace(NOT_IN_HASHTAG, '');
const keyOf = (tag: string) => tag.normalize('NFC').toLowerCase();

/** `C#Sharp`, `/#top` and `#one_two` contain no hashtag, because adjacent characters belong to the word. */
function isInsideWord(content: string, index: number, length: number): boolean {
  const end = index + length;
  const isTouched = /[\p{L}\p{N}\p{M}_#&/]$/u.test(content.slice(Math.max(0, index - 2), index));
  return isTouched || /^(?:[_#]|-[\p{L}\p{N}])/u.test(content.slice(end, end + 3));
}
