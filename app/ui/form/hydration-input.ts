const restorers = new WeakMap<Element, () => void>();

/**
 * Keeps the text and the caret of text areas during hydration: React writes the initial text again (`initTextarea` of
 * react-dom 19.3), which also moves the caret. A `ref` would run too late: React hydrates in steps, and text typed between
 * them would be overwritten.
 */
export function keepEarlyInput(): void {
  for (const area of document.querySelectorAll('textarea')) {
    Object.defineProperty(area, 'defaultValue', {
      configurable: true,
      get: () => area.textContent,
      set: (text: string) => writeAndRestore(area, text),
    });
  }
}

/** Reads the current text in the same task in which React writes, so that no input can come in between. */
function writeAndRestore(area: HTMLTextAreaElement, text: string): void {
  const { value, selectionStart, selectionEnd, selectionDirection } = area;
  const restore = () => {
    if (area.value !== value) area.value = value;
    // In some browsers, setting a selection also sets the focus.
    if (document.activeElement === area)
      area.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  };
  Reflect.set(HTMLTextAreaElement.prototype, 'defaultValue', text, area);
  restorers.set(area, restore);
  queueMicrotask(restore);
}

/** The `ref` of a text area: restores the typed text, and hands the area over to React. */
export function restoreEarlyInput(area: HTMLTextAreaElement | null): void {
  if (!area) return;
  Reflect.deleteProperty(area, 'defaultValue');
  restorers.get(area)?.();
  restorers.delete(area);
}
