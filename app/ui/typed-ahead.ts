type Typed = { value: string; start: number; end: number };

const ahead = new WeakMap<Element, Typed>();

function note(area: Element | null): void {
  if (!(area instanceof HTMLTextAreaElement)) return;
  ahead.set(area, { value: area.value, start: area.selectionStart, end: area.selectionEnd });
}

/**
 * Remembers what is written in the text areas of the server's page and where the caret stands, until their scripts
 * come: React then writes the first text into each again (`initTextarea` of react-dom 19.3).
 */
export function rememberTyped(): void {
  for (const area of document.querySelectorAll('textarea')) note(area);
  // By what its reader does alone: React moves the caret as well.
  for (const event of ['input', 'keyup', 'pointerup'])
    document.addEventListener(event, () => note(document.activeElement), true);
}

/** The `ref` of a text area: puts back what was written there before React took it over. */
export function keepTyped(area: HTMLTextAreaElement | null): void {
  const typed = area && ahead.get(area);
  if (!typed) return;
  ahead.delete(area);
  if (area.value !== typed.value) area.value = typed.value;
  if (document.activeElement === area) area.setSelectionRange(typed.start, typed.end);
}
