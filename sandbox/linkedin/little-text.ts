const RESERVED = new Set('\\|{}@[]()<>#*_~');
const NEXT_RESERVED = /[\\|{}@[\]()<>#*_~]|$/g;

/** A mention, a hashtag template (half or full width sign, escaped or not) or a plain hashtag. */
const MENTION = /^@\[((?:\\.|[^\]\\])+)\]\(urn:li:(?:person|organization):[\w-]+\)/;
const TEMPLATE = /^\{hashtag(?:\\?\|)(?:\\?[#\uFF03])(?:\\?\|)([\p{L}\p{N}]+)\}/u;
const HASHTAG = /^#[\p{L}\p{N}]+/u;

export type LittleText = { text: string; violation: string | null };

/**
 * Parses LinkedIn's "little" text format. LinkedIn silently cuts a post at an unescaped reserved character that opens no
 * valid element; this function does the same and returns the violation.
 */
export function parseLittleText(source: string): LittleText {
  let text = '';
  let offset = 0;
  while (offset < source.length) {
    const character = source[offset] ?? '';
    const next = source[offset + 1];
    if (character === '\\' && next !== undefined && RESERVED.has(next)) {
      text += next;
      offset += 2;
      continue;
    }
    if (!RESERVED.has(character)) {
      const end = nextReserved(source, offset);
      text += source.slice(offset, end);
      offset = end;
      continue;
    }
    const element = readElement(source.slice(offset));
    if (!element) {
      const violation = `Unescaped “${character}” at position ${offset}: the post is cut there.`;
      return { text: text.trimEnd(), violation };
    }
    text += element.text;
    offset += element.length;
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
