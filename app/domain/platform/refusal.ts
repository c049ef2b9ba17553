/** The HTTP status, stored with the refusal so that pages and API agree. */
export type RefusalStatus = 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 502 | 503;

/**
 * An expected failure. `code` is stable snake_case for programs, `message` a sentence for users, `field` the name of
 * the input it is about. Mapped once in http/forms/submit.ts and once in http/api/endpoint.ts.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly status: RefusalStatus;
  readonly field?: string;
  readonly retryAfter?: number;
  readonly extra?: Record<string, unknown>;

  constructor(
    status: RefusalStatus,
    code: string,
    message: string,
    options: { field?: string; retryAfter?: number; extra?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.field = options.field;
    this.retryAfter = options.retryAfter;
    this.extra = options.extra;
  }
}

export const notFound = (what: string) => new Refusal(404, 'not_found', `${what} was not found`);
