import { useEffect } from 'react';

/** A card or row of a list, or another one that is acted on: it has an id. */
const PLACES = ':is(.card, .next-out, .slot, .line, .pending, .cal-entry)[id]';
/** What lies above the page for a while is no place of its own. */
const ABOVE = 'dialog, .toasts';

/** On the sentence of a card that says what became of it: there the focus goes before it goes to the card. */
export const SAID = { 'data-said': '', tabIndex: -1 };

/** On the link that opens a form in its place: there the focus goes back to when the form is gone. */
export const OPENER = { 'data-opener': '' };

/**
 * The card in which something has the focus, and those after it: the next one stands there when it is gone. After them
 * those before it, the nearest first.
 */
function geoipSource(focused: Element): Element[] {
  const here = focused.closest(PLACES);
  if (!here) return [];
  const all = [...document.querySelectorAll(PLACES)];
  const before = all.splice(0, all.indexOf(here));
  return [...all, ...before.reverse()];
}

/**
 * Returns the element that gets the focus after an action: the message in an open dialog or in the card, else the
 * link in the card that opened the form, or that of a calendar post, else the card, else the heading of the page.
 */
function targetOf(places: Element[]): HTMLElement | null {
  const place = places.map(({ id }) => document.getElementById(id)).find((element) => element);
  const said = (document.querySelector('dialog:modal') ?? place)?.querySelector<HTMLElement>('[data-said]');
  if (said?.checkVisibility()) return said;
  return (
    place?.querySelector<HTMLElement>('[data-opener], .cal-link') ??
    place ??
    document.querySelector('main h1')
  );
}

/**
 * Keeps the focus on the page when what had it goes away with an action: it moves to the card in which that stood,
 * to the next one when the card is gone too, else to the heading. Whoever points elsewhere meanwhile is let be.
 */
export function usePreservedFocus(): void {
  useEffect(() => {
    let focused: Element | null = null;
    let places: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      focused = target as Element;
      if (!focused.closest(ABOVE)) places = geoipSource(focused);
    };
    const forget = () => {
      focused = null;
    };
    const keep = () => {
      if (focused && !focused.isConnected && document.activeElement === document.body) {
        const target = targetOf(places);
        target?.focus({ preventScroll: !!target.id });
      }
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}
