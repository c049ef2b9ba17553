import type { SubmissionResult } from '@conform-to/react';

const IDLE_MS = 1500;
/** How long to wait before a save without a response is sent again. */
const RETRY_MS = 15_000;
const FIELDS = ['content', 'imageUrl', 'altText', 'hashtags'] as const;

/** An automatic save without a response may or may not have been stored. */
type NoAnswer = { isLost: true };

export type EditorFields = Record<(typeof FIELDS)[number], string>;
export type Errors = Record<string, string[] | null>;
export type SaveResult = SubmissionResult<string[]> | { saved: { revision: number; at: string } } | NoAnswer;

export type SavingState = {
  at: string | null;
  isUnsaved: boolean;
  isLost: boolean;
  /** The errors of the last save; null before the first. */
  errors: Errors | null;
  /** The revision that the user's edits are based on. */
  revision: string;
};

export const readFields = (form: HTMLFormElement): EditorFields => {
  const data = new FormData(form);
  return Object.fromEntries(FIELDS.map((name) => [name, String(data.get(name) ?? '')])) as EditorFields;
};

const isSame = (one: EditorFields, other: EditorFields) => FIELDS.every((name) => one[name] === other[name]);

/**
 * Saves a form when the user has stopped typing for a moment. Sends one save at a time: the next one waits for the
 * response, and a save without a response is sent again unchanged, so that an older text never overwrites a newer one.
 */
export class Saver {
  form: HTMLFormElement | null = null;
  /** An empty `revision` overwrites whatever is stored. */
  submit: (typed: EditorFields, revision: string) => void = () => {};
  onChange: (change: Partial<SavingState>) => void = () => {};
  isClosing = false;
  isBusy = false;
  #isBlocked = false;
  #hasEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A save that was sent and has no response yet. */
  #sent: EditorFields | null = null;
  /** The text as last saved here; null after a change made elsewhere. */
  #stored: EditorFields | null;
  #revision: string;
  /** The error about a change made elsewhere. The next save, which the user confirms, overwrites that change. */
  #conflict: string[] | null = null;

  constructor(stored: EditorFields, revision: string) {
    this.#stored = stored;
    this.#revision = revision;
  }

  /** Call it when the form is mounted, and `end` when it is unmounted. */
  start = () => {
    this.#hasEnded = false;
    this.onInput();
  };

  end = () => {
    this.#hasEnded = true;
    this.stop();
  };

  /** Text that `restoreTyped` brought back is saved only over the revision on which it was typed. */
  attach = (form: HTMLFormElement | null) => {
    this.form = form;
    this.#revision = form?.dataset.typedOn ?? this.#revision;
  };

  get #isUnsaved() {
    if (this.#sent) return true;
    return this.form !== null && (!this.#stored || !isSame(readFields(this.form), this.#stored));
  }

  send = () => {
    this.stop();
    if (this.#hasEnded || !this.form || this.isBusy || !this.#isUnsaved) return;
    this.#sent ??= readFields(this.form);
    this.isBusy = true;
    this.submit(this.#sent, this.#conflict ? '' : this.#revision);
  };

  stop = () => clearTimeout(this.#timer);

  #sendAfter(ms: number) {
    this.stop();
    // After a change made elsewhere nothing is sent without the user's confirmation, not even a retry: there may have
    // been another change since.
    if (this.#isUnsaved && !this.#conflict && !this.#isBlocked) this.#timer = setTimeout(this.send, ms);
  }

  onInput = () => {
    if (this.#hasEnded) return;
    this.onChange({ isUnsaved: this.#isUnsaved, revision: this.#revision });
    this.#sendAfter(IDLE_MS);
  };

  /** While the user is asked whether to leave, nothing is saved. */
  setBlocked = (isBlocked: boolean) => {
    this.#isBlocked = isBlocked;
    if (isBlocked) this.isClosing = false;
    this.onInput();
  };

  /** Saves the rest; returns true if everything was saved already. */
  close = () => {
    const isDone = !this.isBusy && !this.#isUnsaved;
    this.isClosing = !isDone;
    this.send();
    return isDone;
  };

  receive(answer: SaveResult) {
    this.isBusy = false;
    if (this.#hasEnded) return;
    if ('saved' in answer) return this.#onSaved(answer.saved);
    const wasClosing = this.isClosing;
    this.isClosing = false;
    if ('isLost' in answer) {
      this.#sendAfter(RETRY_MS);
      return this.onChange({ isLost: true });
    }
    this.onRefused(answer.error ?? {});
    if (wasClosing) this.#focusInvalid(answer.error ?? {});
  }

  /** The server saved nothing and would refuse the same text again, so the next save waits until the text changes. */
  onRefused(errors: Errors) {
    const refused = this.#sent;
    this.#sent = null;
    if (errors.revision) {
      this.#conflict = errors.revision;
      this.#stored = null;
      // A scheduled save would overwrite the other change without confirmation.
      this.stop();
    }
    const all = this.#conflict ? { ...errors, revision: this.#conflict } : errors;
    this.onChange({ isLost: false, errors: all, revision: this.#revision, isUnsaved: this.#isUnsaved });
    if (refused && this.form && !isSame(readFields(this.form), refused)) this.onInput();
  }

  #onSaved({ revision, at }: { revision: number; at: string }) {
    this.#stored = this.#sent ?? this.#stored;
    this.#sent = null;
    this.#revision = `${revision}`;
    this.#conflict = null;
    this.onChange({ at, isLost: false, errors: {}, revision: this.#revision, isUnsaved: this.#isUnsaved });
    if (!this.isClosing && this.#isUnsaved) this.onInput();
  }

  #focusInvalid(errors: Errors) {
    const name = FIELDS.find((field) => errors[field]);
    const field = name && this.form?.elements.namedItem(name);
    if (field instanceof HTMLElement) field.focus();
  }
}
