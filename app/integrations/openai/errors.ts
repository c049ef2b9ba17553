/** The writer is temporarily unavailable (429, 5xx, network). */
export class WriterBusy extends Error {
  readonly retryAfterSeconds: number | null;
  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Only the operator can fix it: an invalid key, no quota, an unknown model. */
export class WriterFault extends Error {}

/** The model cannot read this picture, or any picture (`isBlind`). */
export class PictureUnseen extends Error {
  readonly isBlind: boolean;
  constructor(message: string, { isBlind }: { isBlind: boolean }) {
    super(message);
    this.isBlind = isBlind;
  }
}
