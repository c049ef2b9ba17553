// LinkedIn cuts a post without a word at the first of these that is not escaped.
const RESERVED = /[\\|{}@[\]()<>#*_~]/g;
// Letters and digits make a hashtag that LinkedIn recognises whole; marks belong to the letter before them.
const HASHTAG = /#([\p{L}\p{N}][\p{L}\p{N}\p{M}]*)/gu;
/** An escape, a hashtag or plain text, in what is sent. */
const SENT = /\\(.)|#[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\\#]+/gu;
const NOT_IN_HASHTAG = /^\p{M}+|[^\p{L}\p{N}\p{M}]+\p{M}*/gu;

/** Escapes a text for the field `commentary`, in one pass, so that it reads as it is. */
export const escapeLittleText = (text: string) => text.replace(RESERVED, '\\$&');

/**
 * The text of a post as it is sent: the content escaped, a blank line, the hashtags. A hashtag that the
 * content already carries as #word stays one there and is left out at the end; every other # is literal.
 */
export function commentaryOf(content: string, hashtags: string[]): string {
  const wanted = new Map(hashtags.map(cleanHashtag).flatMap((tag) => (tag ? [[keyOf(tag), tag]] : [])));
  const seen = new Set<string>();
  let escaped = '';
  let at = 0;
  for (const { 0: whole, 1: word, index } of content.matchAll(HASHTAG)) {
    const key = keyOf(word!);
    if (!wanted.has(key) || isInsideWord(content, index, whole.length)) continue;
    seen.add(key);
    escaped += escapeLittleText(content.slice(at, index)) + whole;
    at = index + whole.length;
  }
  escaped += escapeLittleText(content.slice(at));
  const tail = [...wanted].filter(([key]) => !seen.has(key)).map(([, tag]) => `#${tag}`);
  return [escaped.trimEnd(), tail.join(' ')].filter(Boolean).join('\n\n');
}

/** A text as it is read, and whether LinkedIn makes a link of it. */
export type TextPart = { text: string; isHashtag: boolean };

/** A post as it is read on LinkedIn, which takes the escapes away and knows the hashtags. */
export function parseLittleText(content: string, hashtags: string[]): TextPart[] {
  const parts: TextPart[] = [];
  for (const { 0: whole, 1: escaped } of commentaryOf(content, hashtags).matchAll(SENT)) {
    const isHashtag = whole.startsWith('#');
    const last = parts.at(-1);
    if (last && !isHashtag && !last.isHashtag) last.text += escaped ?? whole;
    else parts.push({ text: escaped ?? whole, isHashtag });
  }
  return parts;
}

/** What LinkedIn counts of a post, in UTF-16 units. */
export const commentaryLength = (content: string, hashtags: string[]) =>
  commentaryOf(content, hashtags).length;

const cleanHashtag = (tag: string) => tag.replace(NOT_IN_HASHTAG, '');
const keyOf = (tag: string) => tag.normalize('NFC').toLowerCase();

/** `C#Sharp`, `/#top` and `#one_two` hold no hashtag: what touches the word belongs to it. */
function isInsideWord(content: string, index: number, length: number): boolean {
  const end = index + length;
  const isTouched = /[\p{L}\p{N}\p{M}_#&/]$/u.test(content.slice(Math.max(0, index - 2), index));
  return isTouched || /^(?:[_#]|-[\p{L}\p{N}])/u.test(content.slice(end, end + 3));
}
