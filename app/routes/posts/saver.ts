import type { SubmissionResult } from '@conform-to/react';

const IDLE_MS = 1500;
/** A save that got no answer is sent again after this. */
const RETRY_MS = 15_000;
const FIELDS = ['content', 'imageUrl', 'altText', 'hashtags'] as const;

/** What became of a save by itself that got no answer of ours: nobody knows whether it arrived. */
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
  /** The revision that what is typed began from. */
  from: string;
};

export const typedIn = (form: HTMLFormElement): Typed => {
  const data = new FormData(form);
  return Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '')])) as Typed;
};

const isSame = (one: Typed, other: Typed) => FIELDS.every((name) => one[name] === other[name]);

/**
 * Saves a form when nobody has typed for a moment. One save at a time: a later one waits for the answer to the one
 * before, and one that got no answer is sent again as it was, so that nothing older overwrites what is newer.
 */
export class Saver {
  form: HTMLFormElement | null = null;
  /** Without a revision it takes the place of whatever there is. */
  submit: (typed: Typed, revision: string) => void = () => {};
  tell: (change: Partial<Saving>) => void = () => {};
  isClosing = false;
  isBusy = false;
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** On its way, or without an answer. */
  #sent: Typed | null = null;
  #stored: Typed;
  #from: string;
  /** Its owner was told of a change made elsewhere: what is saved after that takes its place. */
  #isOverwriting = false;

  constructor(stored: Typed, from: string) {
    this.#stored = stored;
    this.#from = from;
  }

  /** Text that `restoreTyped` brought back is saved only over the revision on which it was typed. */
  attach = (form: HTMLFormElement | null) => {
    this.form = form;
    this.#from = form?.dataset.typedOn ?? this.#from;
  };

  get #isUnsaved() {
    return this.#sent !== null || (this.form !== null && !isSame(typedIn(this.form), this.#stored));
  }

  send = () => {
    this.stop();
    if (!this.form || this.isBusy || !this.#isUnsaved) return;
    this.#sent ??= typedIn(this.form);
    this.isBusy = true;
    this.submit(this.#sent, this.#isOverwriting ? '' : this.#from);
  };

  stop = () => clearTimeout(this.#timer);

  /** Something was typed. After a change made elsewhere nothing is saved unasked. */
  follow = () => {
    this.stop();
    const isUnsaved = this.#isUnsaved;
    this.tell({ isUnsaved, from: this.#from });
    if (isUnsaved && !this.#isOverwriting && !this.#isHeld) this.#timer = setTimeout(this.send, IDLE_MS);
  };

  /** While somebody is asked whether to leave, nothing is saved. */
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
    if ('saved' in answer) return this.#keep(answer.saved);
    const wasClosing = this.isClosing;
    this.isClosing = false;
    if ('isLost' in answer) {
      this.stop();
      if (!this.#isHeld) this.#timer = setTimeout(this.send, RETRY_MS);
      return this.tell({ isLost: true });
    }
    this.#sent = null;
    const errors: Errors = answer.error ?? {};
    if (errors.revision) this.#isOverwriting = true;
    this.tell({ isLost: false, errors, from: this.#from });
    if (wasClosing) this.#focusWrong(errors);
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
