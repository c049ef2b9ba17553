/** The writer cannot answer now (429, 5xx, network): try again, after `retryAfterSeconds` when it said so. */
export class WriterBusy extends Error {
  readonly retryAfterSeconds: number | null;
  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Only the operator can mend it: a bad key, no quota, an unknown model. */
export class WriterFault extends Error {}

/** A picture that was sent along is not looked at: the model or its server cannot, or cannot read this one. */
export class PictureUnseen extends Error {
  readonly isBlind: boolean;
  constructor(message: string, { isBlind }: { isBlind: boolean }) {
    super(message);
    this.isBlind = isBlind;
  }
}
