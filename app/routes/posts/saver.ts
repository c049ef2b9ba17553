import type { SubmissionResult } from '@conform-to/react';

const IDLE_MS = 1500;
/** How long to wait before a save that got no answer is sent again. */
const RETRY_MS = 15_000;
const FIELDS = ['content', 'imageUrl', 'altText', 'hashtags'] as const;

/** An automatic save that got no answer from us may or may not have arrived. */
type Unanswered = { isLost: true };

export type Typed = Record<(typeof FIELDS)[number], string>;
export type Errors = Record<string, string[] | null>;
export type Answer = SubmissionResult<string[]> | { saved: { revision: number; at: string } } | Unanswered;

export type Saving = {
  /** When it was saved last, in words. */
  at: string | null;
  isUnsaved: boolean;
  isLost: boolean;
  /** What the server had against the last save; null before the first. */
  errors: Errors | null;
  /** The revision that the user's edits are based on. */
  from: string;
};

export const typedIn = (form: HTMLFormElement): Typed => {
  const data = new FormData(form);
  return Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '')])) as Typed;
};

const isSame = (one: Typed, other: Typed) => FIELDS.every((name) => one[name] === other[name]);

/**
 * Saves a form when the user has stopped typing for a moment. One save at a time: a later one waits for the answer to the
 * one before, and one that got no answer is sent again as it was, so that nothing older overwrites what is newer.
 */
export class Saver {
  form: HTMLFormElement | null = null;
  /** An empty `revision` overwrites whatever is stored. */
  submit: (typed: Typed, revision: string) => void = () => {};
  tell: (change: Partial<Saving>) => void = () => {};
  isClosing = false;
  isBusy = false;
  #isHeld = false;
  #hasEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** On its way, or without an answer. */
  #sent: Typed | null = null;
  /** The text that was saved last; null when another one was saved elsewhere. */
  #stored: Typed | null;
  #from: string;
  /** The user has been told of a change made elsewhere: the next save overwrites it. */
  #isOverwriting = false;

  /** @param errors What the server had against the form, when this page answers one that was sent without scripts. */
  constructor(stored: Typed, from: string, errors: Errors) {
    this.#stored = stored;
    this.#from = from;
    this.#mindConflict(errors);
  }

  /** Starts with the form on the page. Call `end` when it leaves the page. */
  start = () => {
    this.#hasEnded = false;
    this.follow();
  };

  end = () => {
    this.#hasEnded = true;
    this.stop();
  };

  /** Text that `restoreTyped` brought back is saved only over the revision on which it was typed. */
  attach = (form: HTMLFormElement | null) => {
    this.form = form;
    this.#from = form?.dataset.typedOn ?? this.#from;
  };

  get #isUnsaved() {
    if (this.#sent || !this.form) return this.#sent !== null;
    return !this.#stored || !isSame(typedIn(this.form), this.#stored);
  }

  send = () => {
    this.stop();
    if (this.#hasEnded || !this.form || this.isBusy || !this.#isUnsaved) return;
    this.#sent ??= typedIn(this.form);
    this.isBusy = true;
    this.submit(this.#sent, this.#isOverwriting ? '' : this.#from);
  };

  stop = () => clearTimeout(this.#timer);

  #sendAfter(ms: number) {
    this.stop();
    // After a change made elsewhere nothing is sent unasked, but what was asked for is sent until it gets an answer.
    const isAllowed = !this.#isOverwriting || this.#sent !== null;
    if (this.#isUnsaved && isAllowed && !this.#isHeld) this.#timer = setTimeout(this.send, ms);
  }

  /** Call it when something was typed. */
  follow = () => {
    if (this.#hasEnded) return;
    this.tell({ isUnsaved: this.#isUnsaved, from: this.#from });
    this.#sendAfter(IDLE_MS);
  };

  /** While the user is asked whether to leave, nothing is saved. */
  hold = (isHeld: boolean) => {
    this.#isHeld = isHeld;
    this.follow();
  };

  /** Saves what is left; true when nothing is. */
  close = () => {
    const isDone = !this.isBusy && !this.#isUnsaved;
    this.isClosing = !isDone;
    this.send();
    return isDone;
  };

  hear(answer: Answer) {
    this.isBusy = false;
    if (this.#hasEnded) return;
    if ('saved' in answer) return this.#keep(answer.saved);
    const wasClosing = this.isClosing;
    this.isClosing = false;
    if ('isLost' in answer) {
      this.#sendAfter(RETRY_MS);
      return this.tell({ isLost: true });
    }
    this.refuse(answer.error ?? {});
    if (wasClosing) this.#focusWrong(answer.error ?? {});
  }

  /** The server took nothing. The same text would be refused again: the next save waits until more is typed. */
  refuse(errors: Errors) {
    const refused = this.#sent;
    this.#sent = null;
    this.#mindConflict(errors);
    this.tell({ isLost: false, errors, from: this.#from, isUnsaved: this.#isUnsaved });
    if (refused && this.form && !isSame(typedIn(this.form), refused)) this.follow();
  }

  #mindConflict({ revision }: Errors) {
    if (!revision) return;
    this.#isOverwriting = true;
    this.#stored = null;
  }

  #keep({ revision, at }: { revision: number; at: string }) {
    this.#stored = this.#sent ?? this.#stored;
    this.#sent = null;
    this.#from = `${revision}`;
    this.#isOverwriting = false;
    this.tell({ at, isLost: false, errors: {}, from: this.#from, isUnsaved: this.#isUnsaved });
    if (!this.isClosing && this.#isUnsaved) this.follow();
  }

  #focusWrong(errors: Errors) {
    const name = FIELDS.find((field) => errors[field]);
    const field = name && this.form?.elements.namedItem(name);
    if (field instanceof HTMLElement) field.focus();
  }
}
