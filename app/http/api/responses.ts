import { isDatabaseUnavailable } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '#app/http/limits.ts';
import { logger } from '#app/log.ts';

/** What is said of a fault that is no caller's. */
const OUR_FAULT = 'Something went wrong on our side';

/** An answer `{message, code}` of the API that is no success. */
export function failure(
  status: number,
  code: string,
  message: string,
  extra: object = {},
  headers: HeadersInit = {},
) {
  return Response.json({ message, code, ...extra }, { status, headers });
}

/** What a call is answered that threw. */
export function toResponse(error: unknown, requestId: string, { signal }: Request): Response {
  if (error instanceof Response) return error;
  if (error instanceof Refusal) {
    const fields = error.field ? { fields: { [error.field]: [error.message] } } : {};
    const headers: HeadersInit = error.retryAfter ? { 'Retry-After': String(error.retryAfter) } : {};
    return failure(error.status, error.code, error.message, { ...fields, ...error.extra }, headers);
  }
  // Who has gone away hears no answer, and it is no failure of ours.
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

/** What is said of a fault of ours within an answer that is none itself; the log says the rest. */
export function faultBody(error: unknown): { message: string; code: string } {
  logger().error({ err: error }, 'a call within an answer failed');
  return { message: OUR_FAULT, code: isDatabaseUnavailable(error) ? 'unavailable' : 'internal' };
}
