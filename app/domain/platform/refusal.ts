/** The HTTP status a refusal maps to, kept beside it so that both doors (pages and API) agree. */
export type RefusalStatus = 400 | 401 | 402 | 403 | 404 | 409 | 422 | 429 | 502 | 503;

/**
 * An expected "no". `code` is stable snake_case for programs, `message` is a sentence for people,
 * `field` names the input it is about. Mapped once in http/forms/submit.ts and once in http/api/endpoint.ts.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly status: RefusalStatus;
  readonly field?: string;
  /** Seconds to wait, for `rate_limited`. */
  readonly retryAfter?: number;
  /** Further members of the API's failure body. */
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
