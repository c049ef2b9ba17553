/** Names of fields whose values are never stored or written into a page. */
const SECRET = /password|^(?:otp|code|digit\d)$|token|secret/i;

export const isSecret = (name: string) => SECRET.test(name);

/** The key in sessionStorage. React Router reloads the page when it cannot fetch a route's script, and users reload pages. */
const KEY = 'typed-text';

type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type StoredText = {
  address: string;
  /** The id of the signed-in user, or undefined for a visitor. Only the same user gets the text back. */
  user: string | undefined;
  fields: [key: string, value: string][];
  revisions: [action: string, revision: string][];
};

const FIELDS =
  'form[method="post"] :is(textarea, select, input:not([type="hidden"], [type="password"], [type="file"], [type="submit"])):is([name])';

const isToggle = (field: TextField): field is HTMLInputElement =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type);

/** Without the hash, which scripts remove from some actions. */
const actionOf = (form: HTMLFormElement | null) => form?.getAttribute('action')?.split('#')[0] ?? '';

/** Yields each field with a key: the action of its form, its name, and its index among the fields with that name. */
function* namedFields(): Generator<[key: string, field: TextField]> {
  const counts = new Map<string, number>();
  for (const field of document.querySelectorAll<TextField>(FIELDS)) {
    if (isSecret(field.name)) continue;
    const name = `${actionOf(field.form)} ${field.name}`;
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

/** `data-saved`: the server has stored everything that was typed. */
const isSaved = ({ form }: TextField) => form?.dataset.saved !== undefined;

const revisionIn = (form: HTMLFormElement) => {
  const field = form.elements.namedItem('revision');
  return field instanceof HTMLInputElement ? field : undefined;
};

/** The id of the page's user, see root.tsx. */
const pageUser = () => document.documentElement.dataset.user;

/** The user at the last input: another one may have signed in since in another tab. */
let typedBy: string | undefined;

function storeText(): void {
  const changed = [...namedFields()].filter(
    ([, field]) => currentValueOf(field) !== initialValueOf(field) && !isSaved(field),
  );
  const fields = changed.map(([key, field]): StoredText['fields'][number] => [key, currentValueOf(field)]);
  const revisions = changed.flatMap(([, { form }]): StoredText['revisions'] => {
    const revision = form && revisionIn(form);
    return revision ? [[actionOf(form), revision.value]] : [];
  });
  const stored: StoredText = { address: location.href, user: typedBy ?? pageUser(), fields, revisions };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Storage may be full or disabled.
  }
}

function readStored(): StoredText | undefined {
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
 * Restores text that was typed before a reload of this page, and stores text when the page is left, except passwords, codes
 * and files. Call it before hydration, because React keeps the values that it finds in fields. Also restores the `revision`
 * that the text was typed on: in the hidden field, and in `data-typed-on`, because hydration resets the field.
 */
export function restoreTyped(): void {
  const stored = readStored();
  if (stored && stored.address === location.href && stored.user === pageUser() && isReloaded()) {
    const values = new Map(stored.fields);
    const revisions = new Map(stored.revisions);
    for (const [key, field] of namedFields()) {
      const value = values.get(key);
      // Equal if the text was saved, and only the response was lost.
      if (value === undefined || value === currentValueOf(field)) continue;
      if (isToggle(field)) field.checked = value === 'true';
      else field.value = value;
      const revision = revisions.get(actionOf(field.form));
      const hidden = field.form && revisionIn(field.form);
      if (!hidden || !revision) continue;
      hidden.value = revision;
      hidden.form!.dataset.typedOn = revision;
    }
  }
  addEventListener(
    'input',
    () => {
      typedBy = pageUser();
    },
    true,
  );
  addEventListener('pagehide', storeText);
}
