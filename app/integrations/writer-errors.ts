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
