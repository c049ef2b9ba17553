const RESERVED = new Set('\\|{}@[]()<>#*_~');
const NEXT_RESERVED = /[\\|{}@[\]()<>#*_~]|$/g;

/** A mention, a hashtag template (half or full width sign, escaped or not) or a plain hashtag. */
const MENTION = /^@\[((?:\\.|[^\]\\])+)\]\(urn:li:(?:person|organization):[\w-]+\)/;
const TEMPLATE = /^\{hashtag(?:\\?\|)(?:\\?[#\uFF03])(?:\\?\|)([\p{L}\p{N}]+)\}/u;
const HASHTAG = /^#[\p{L}\p{N}]+/u;

export type LittleText = { text: string; violation: string | null };

/**
 * Reads LinkedIn's "little" text format. An unescaped reserved character that opens no valid element
 * makes LinkedIn cut the post there in silence; the same is done here and named as a violation.
 */
export function parseLittleText(source: string): LittleText {
  let text = '';
  let at = 0;
  while (at < source.length) {
    const character = source[at] ?? '';
    const next = source[at + 1];
    if (character === '\\' && next !== undefined && RESERVED.has(next)) {
      text += next;
      at += 2;
      continue;
    }
    if (!RESERVED.has(character)) {
      const end = nextReserved(source, at);
      text += source.slice(at, end);
      at = end;
      continue;
    }
    const element = readElement(source.slice(at));
    if (!element) {
      const violation = `Unescaped “${character}” at position ${at}: the post is cut there.`;
      return { text: text.trimEnd(), violation };
    }
    text += element.text;
    at += element.length;
  }
  return { text, violation: null };
}

function nextReserved(source: string, from: number): number {
  NEXT_RESERVED.lastIndex = from;
  return NEXT_RESERVED.exec(source)!.index;
}

function readElement(rest: string): { text: string; length: number } | null {
  const mention = MENTION.exec(rest);
  if (mention) return { text: (mention[1] ?? '').replace(/\\(.)/g, '$1'), length: mention[0].length };
  const template = TEMPLATE.exec(rest);
  if (template) return { text: `#${template[1]}`, length: template[0].length };
  const hashtag = HASHTAG.exec(rest);
  return hashtag ? { text: hashtag[0], length: hashtag[0].length } : null;
}
