const puts = new WeakMap<Element, () => void>();

/**
 * Keeps what is written in the text areas of the server's page, and where the caret stands, while their scripts come:
 * React writes the first text into each again (`initTextarea` of react-dom 19.3), which moves the caret, too. A `ref` alone
 * would run too late: React hydrates in steps, and text typed between them would be overwritten.
 */
export function keepEarlyInput(): void {
  for (const area of document.querySelectorAll('textarea')) {
    Object.defineProperty(area, 'defaultValue', {
      configurable: true,
      get: () => area.textContent,
      set: (text: string) => writeAround(area, text),
    });
  }
}

/** Notes what stands there as late as can be: in the step in which React writes, before anybody can type again. */
function writeAround(area: HTMLTextAreaElement, text: string): void {
  const { value, selectionStart, selectionEnd, selectionDirection } = area;
  const putBack = () => {
    if (area.value !== value) area.value = value;
    // A selection in a field that has no focus would take it, in some browsers.
    if (document.activeElement === area)
      area.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  };
  Reflect.set(HTMLTextAreaElement.prototype, 'defaultValue', text, area);
  puts.set(area, putBack);
  queueMicrotask(putBack);
}

/** The `ref` of a text area: from here on it is React's, and says what was written there before. */
export function restoreEarlyInput(area: HTMLTextAreaElement | null): void {
  if (!area) return;
  Reflect.deleteProperty(area, 'defaultValue');
  puts.get(area)?.();
  puts.delete(area);
}
