/** What is never written into a page, nor kept. */
const SECRET = /password|^(?:otp|code|digit\d)$|token|secret/i;

/** Whether a field of this name holds a password or a code. */
export const isSecret = (name: string) => SECRET.test(name);

/**
 * React Router loads the page again when the script of a route cannot be fetched, and a browser that could not load it at all
 * does when its reader asks for it. What was typed is put into sessionStorage as the page ends, and back into the same
 * fields when the same page is loaded again: see `restoreTyped`.
 */
const KEY = 'typed-text';

type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Kept = { address: string; fields: [place: string, value: string][] };

const FIELDS =
  'form[method="post"] :is(textarea, select, input:not([type="hidden"], [type="password"], [type="file"], [type="submit"])):is([name])';

const isToggle = (field: TextField): field is HTMLInputElement =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type);

/** A field by its form's action, its name and its number among those of one name. */
function* namedFields(): Generator<[place: string, field: TextField]> {
  const counts = new Map<string, number>();
  for (const field of document.querySelectorAll<TextField>(FIELDS)) {
    if (isSecret(field.name)) continue;
    const name = `${field.form?.getAttribute('action') ?? ''} ${field.name}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    yield [`${name} ${count}`, field];
  }
}

const currentValueOf = (field: TextField) => (isToggle(field) ? String(field.checked) : field.value);

function initialValueOf(field: TextField): string {
  if (isToggle(field)) return String(field.defaultChecked);
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  const chosen = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
  return chosen?.value ?? '';
}

function keepTyped(): void {
  const fields = [...namedFields()]
    .filter(([, field]) => currentValueOf(field) !== initialValueOf(field))
    .map(([place, field]): Kept['fields'][number] => [place, currentValueOf(field)]);
  const kept: Kept = { address: location.href, fields };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage that is full or switched off keeps nothing.
  }
}

function readKept(): Kept | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const isReloaded = () =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');

/**
 * Puts back what was typed into the forms of this page before it was loaded again, and keeps what is typed from here on.
 * Call it before React takes the page over, which keeps what stands in the fields. Passwords, codes and files are not kept.
 */
export function restoreTyped(): void {
  const kept = readKept();
  if (kept && kept.address === location.href && isReloaded()) {
    const values = new Map(kept.fields);
    for (const [place, field] of namedFields()) {
      const value = values.get(place);
      if (value === undefined) continue;
      if (isToggle(field)) field.checked = value === 'true';
      else field.value = value;
    }
  }
  addEventListener('pagehide', keepTyped);
}
