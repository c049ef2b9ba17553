/** Names of fields whose values are never stored or written into a page. */
const SECRET = /password|^(?:otp|code|digit\d)$|token|secret/i;

/** Whether a field of this name holds a password or a code. */
export const isSecret = (name: string) => SECRET.test(name);

/**
 * The key in sessionStorage of what was typed. React Router reloads the page when it cannot fetch the script of a
 * route, and users reload a page that did not load. Text is saved when the page ends, and restored when the same page
 * is reloaded: see `restoreTyped`.
 */
const KEY = 'typed-text';

type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type StoredText = {
  address: string;
  /** The id of the signed-in user, or undefined for a visitor. The text is restored for the same user only. */
  user: string | undefined;
  fields: [place: string, value: string][];
  revisions: [action: string, revision: string][];
};

const FIELDS =
  'form[method="post"] :is(textarea, select, input:not([type="hidden"], [type="password"], [type="file"], [type="submit"])):is([name])';

const isToggle = (field: TextField): field is HTMLInputElement =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type);

/** Scripts take the hash off some actions, so it is left out. */
const actionOf = (form: HTMLFormElement | null) => form?.getAttribute('action')?.split('#')[0] ?? '';

/** Yields each field with a key: the action of its form, its name, and its index among the fields with that name. */
function* namedFields(): Generator<[place: string, field: TextField]> {
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

/** Whether a form has all that was typed stored on the server: `data-saved` says so. */
const isSaved = ({ form }: TextField) => form?.dataset.saved !== undefined;

/** The hidden field with the revision that a form changes. */
const revisionIn = (form: HTMLFormElement) => {
  const field = form.elements.namedItem('revision');
  return field instanceof HTMLInputElement ? field : undefined;
};

/** The id of the user that the page shows, see root.tsx. */
const signedIn = () => document.documentElement.dataset.user;

/** The user at the last input: another one may have signed in since, in another tab. */
let typedBy: string | undefined;

function storeText(): void {
  const changed = [...namedFields()].filter(
    ([, field]) => currentValueOf(field) !== initialValueOf(field) && !isSaved(field),
  );
  const fields = changed.map(([place, field]): StoredText['fields'][number] => [
    place,
    currentValueOf(field),
  ]);
  const revisions = changed.flatMap(([, { form }]): StoredText['revisions'] => {
    const revision = form && revisionIn(form);
    return revision ? [[actionOf(form), revision.value]] : [];
  });
  const kept: StoredText = { address: location.href, user: typedBy ?? signedIn(), fields, revisions };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage may be full or switched off.
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
 * Restores what was typed into the forms of this page before it was reloaded, and saves what is typed when the page
 * ends. Call it before hydration: React keeps the values that it finds in fields. Passwords, codes and files are not
 * saved. A form gets back the `revision` that its text was typed on: in the hidden field, and in `data-typed-on` because
 * hydration resets the field.
 */
export function restoreTyped(): void {
  const kept = readStored();
  if (kept && kept.address === location.href && kept.user === signedIn() && isReloaded()) {
    const values = new Map(kept.fields);
    const revisions = new Map(kept.revisions);
    for (const [place, field] of namedFields()) {
      const value = values.get(place);
      // What the server sends now may be what was typed: the save arrived, only its answer did not.
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
      typedBy = signedIn();
    },
    true,
  );
  addEventListener('pagehide', storeText);
}
