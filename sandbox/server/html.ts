/** Markup that is inserted without escaping. */
export type Html = { readonly markup: string };

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Value = Html | Html[] | string | number | null | undefined | false;

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  if (typeof value === 'object') return value.markup;
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** A template tag that escapes every inserted value except its own results. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: strings.reduce((all, part, index) => all + render(values[index - 1]) + part) };
}

export function trusted(markup: string): Html {
  return { markup };
}
