/** Markup that is put together as text: where a page has hundreds of the same small parts, elements would cost it most. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Nearly every text has none of them. */
const plain = (text: string) =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => NAMES[character]!) : text;

type Value = string | number | Markup | readonly Markup[] | false | null | undefined;

function textOf(value: Value): string {
  if (typeof value === 'string') return plain(value);
  if (typeof value === 'number') return String(value);
  if (!value) return '';
  if (value instanceof Markup) return value.text;
  let all = '';
  for (const { text } of value) all += text;
  return all;
}

/** What is put into it stands there as text, also in the quotes of an attribute; only other markup stays markup. */
export function markup(parts: TemplateStringsArray, ...values: Value[]): Markup {
  let text = parts[0]!;
  for (let n = 0; n < values.length; n += 1) text += textOf(values[n]) + parts[n + 1]!;
  return new Markup(text);
}

/**
 * The text, with its parts brought together as to look at one character does. What was only added up stays thousands of
 * parts for as long as it waits to be sent, and the garbage collector goes through them again and again.
 */
export const inOnePiece = ({ text }: Markup): string => (text.charCodeAt(0) === 0 ? '' : text);
