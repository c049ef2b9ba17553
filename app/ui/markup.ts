/** Markup that is put together as text: where a page has hundreds of the same small parts, elements would cost it most. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const plain = (text: string) => text.replace(/[&<>"']/g, (character) => NAMES[character]!);

type Value = string | number | Markup | readonly Markup[] | false | null | undefined;

function textOf(value: Value): string {
  if (typeof value === 'string') return plain(value);
  if (typeof value === 'number') return String(value);
  if (!value) return '';
  return value instanceof Markup ? value.text : value.map(({ text }) => text).join('');
}

/** What is put into it stands there as text, also in the quotes of an attribute; only other markup stays markup. */
export function markup(parts: TemplateStringsArray, ...values: Value[]): Markup {
  let text = parts[0]!;
  for (const [n, value] of values.entries()) text += textOf(value) + parts[n + 1]!;
  return new Markup(text);
}
