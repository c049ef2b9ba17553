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
  /** The text as last saved from here; null after a change made elsewhere. */
  #stored: Typed | null;
  #from: string;
  /** What the user has been told of a change made elsewhere: the next save, which they ask for, overwrites it. */
  #conflict: string[] | null = null;

  constructor(stored: Typed, from: string) {
    this.#stored = stored;
    this.#from = from;
  }

  /** Call it when the form is mounted, and `end` when it is unmounted. */
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
    if (this.#sent) return true;
    return this.form !== null && (!this.#stored || !isSame(typedIn(this.form), this.#stored));
  }

  send = () => {
    this.stop();
    if (this.#hasEnded || !this.form || this.isBusy || !this.#isUnsaved) return;
    this.#sent ??= typedIn(this.form);
    this.isBusy = true;
    this.submit(this.#sent, this.#conflict ? '' : this.#from);
  };

  stop = () => clearTimeout(this.#timer);

  #sendAfter(ms: number) {
    this.stop();
    // After a change made elsewhere nothing is sent unasked, not even again: meanwhile there may be another change.
    if (this.#isUnsaved && !this.#conflict && !this.#isHeld) this.#timer = setTimeout(this.send, ms);
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
    if (isHeld) this.isClosing = false;
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
    this.onRefused(answer.error ?? {});
    if (wasClosing) this.#focusWrong(answer.error ?? {});
  }

  /** The server saved nothing. It would refuse the same text again, so the next save waits until the text is another one. */
  onRefused(errors: Errors) {
    const refused = this.#sent;
    this.#sent = null;
    if (errors.revision) {
      this.#conflict = errors.revision;
      this.#stored = null;
      // A save that still waits would overwrite the other change unasked.
      this.stop();
    }
    const all = this.#conflict ? { ...errors, revision: this.#conflict } : errors;
    this.tell({ isLost: false, errors: all, from: this.#from, isUnsaved: this.#isUnsaved });
    if (refused && this.form && !isSame(typedIn(this.form), refused)) this.follow();
  }

  #keep({ revision, at }: { revision: number; at: string }) {
    this.#stored = this.#sent ?? this.#stored;
    this.#sent = null;
    this.#from = `${revision}`;
    this.#conflict = null;
    this.tell({ at, isLost: false, errors: {}, from: this.#from, isUnsaved: this.#isUnsaved });
    if (!this.isClosing && this.#isUnsaved) this.follow();
  }

  #focusWrong(errors: Errors) {
    const name = FIELDS.find((field) => errors[field]);
    const field = name && this.form?.elements.namedItem(name);
    if (field instanceof HTMLElement) field.focus();
  }
}
