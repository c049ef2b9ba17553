import { useEffect } from 'react';

const CARDS = ':is(.card, .next-out, .slot, .line, .pending, .cal-entry)[id]';
/** Temporary elements: the focus in them does not count as in a card. */
const OVERLAYS = 'dialog, .toasts';

/** Marks the message in a card that gets the focus after an action. */
export const RESULT_MESSAGE = { 'data-said': '', tabIndex: -1 };

/** Marks the link that opened a form: it gets the focus when the form closes. */
export const FORM_OPENER = { 'data-opener': '' };

/** The focused card, then the cards after it, then those before it, the nearest first. */
function cardsFrom(focused: Element): Element[] {
  const card = focused.closest(CARDS);
  if (!card) return [];
  const all = [...document.querySelectorAll(CARDS)];
  const before = all.splice(0, all.indexOf(card));
  return [...all, ...before.reverse()];
}

/**
 * Returns the element that gets the focus after an action: the message in an open dialog or in the card, else the
 * link in the card that opened the form, or that of a calendar post, else the card, else the heading of the page.
 */
function targetOf(cards: Element[]): HTMLElement | null {
  const card = cards.map(({ id }) => document.getElementById(id)).find((element) => element);
  const container = document.querySelector('dialog:modal') ?? card;
  const message = container?.querySelector<HTMLElement>('[data-said]');
  if (message?.checkVisibility()) return message;
  return (
    card?.querySelector<HTMLElement>('[data-opener], .cal-link') ?? card ?? document.querySelector('main h1')
  );
}

/** Moves the focus when an action removes the focused element, unless the user has clicked elsewhere: see `targetOf`. */
export function usePreservedFocus(): void {
  useEffect(() => {
    let focused: Element | null = null;
    let cards: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      focused = target as Element;
      if (!focused.closest(OVERLAYS)) cards = cardsFrom(focused);
    };
    const forget = () => {
      focused = null;
    };
    const restore = () => {
      if (focused && !focused.isConnected && document.activeElement === document.body) {
        const target = targetOf(cards);
        target?.focus({ preventScroll: !!target.id });
      }
    };
    const observer = new MutationObserver(restore);
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
