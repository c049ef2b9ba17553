import { isDatabaseUnavailable } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '#app/http/limits.ts';
import { logger } from '#app/log.ts';

const OUR_FAULT = 'Something went wrong on our side';

export function failure(
  status: number,
  code: string,
  message: string,
  extra: object = {},
  headers: HeadersInit = {},
) {
  return Response.json({ message, code, ...extra }, { status, headers });
}

/** The response to an API call that threw `error`. */
export function toResponse(error: unknown, requestId: string, { signal }: Request): Response {
  if (error instanceof Response) return error;
  if (error instanceof Refusal) {
    const fields = error.field ? { fields: { [error.field]: [error.message] } } : {};
    const headers: HeadersInit = error.retryAfter ? { 'Retry-After': String(error.retryAfter) } : {};
    return failure(error.status, error.code, error.message, { ...fields, ...error.extra }, headers);
  }
  // A call whose client has disconnected fails for that reason alone.
  if (!signal.aborted) logger().error({ err: error, requestId }, 'api request failed');
  if (!isDatabaseUnavailable(error)) return failure(500, 'internal', OUR_FAULT, { requestId });
  return failure(
    503,
    'unavailable',
    OUR_FAULT,
    { requestId },
    { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) },
  );
}

/** Logs an unexpected error of one part of a response, and returns the message for that part. */
export function faultBody(error: unknown): { message: string; code: string } {
  logger().error({ err: error }, 'a call within an answer failed');
  return { message: OUR_FAULT, code: isDatabaseUnavailable(error) ? 'unavailable' : 'internal' };
}
