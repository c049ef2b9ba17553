import { data } from 'react-router';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { BODY_BYTES_MAX, type FILE_OMISSIONS } from '#app/http/limits.ts';
import { readStart } from './read-body.ts';

const PAGES = new Set(['/app/dashboard', '/app/payments']);
const DIALOG = 'subscribe';

/** How many uploads a process reads in parallel: one for each user, and each within this time. */
const UPLOADS_MAX = 8;
const UPLOAD_TIMEOUT_MS = 60_000;
/** After this time an upload is aborted when another user needs its slot. */
const PREEMPTIBLE_AFTER_MS = 10_000;
type Upload = { startedAt: number; abort(): void };
const uploads = new Map<string, Upload>();

const BOUNDARY = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

export const carriesFile = ({ method, headers }: Request, { pathname, searchParams }: URL) =>
  method === 'POST' &&
  PAGES.has(pathname) &&
  searchParams.get('dialog') === DIALOG &&
  BOUNDARY.test(headers.get('Content-Type') ?? '');

/** The complete parts of a body that was cut off, as a valid body. */
function completeParts({ headers }: Request, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const [, quoted, bare] = BOUNDARY.exec(headers.get('Content-Type')!)!;
  const delimiter = `\r\n--${quoted ?? bare}`;
  const start = bytes.subarray(0, BODY_BYTES_MAX);
  const end = start.lastIndexOf(Buffer.from(delimiter, 'latin1'));
  return Buffer.concat([start.subarray(0, Math.max(0, end)), Buffer.from(`${delimiter}--\r\n`, 'latin1')]);
}

const timedOut = () =>
  data('Your form did not arrive in time. Send it once more, or without a file.', { status: 408 });

async function withTimeout<T>(read: Promise<T>, aborted?: Promise<never>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut()), UPLOAD_TIMEOUT_MS);
  });
  return Promise.race([read, timeout, ...(aborted ? [aborted] : [])]).finally(() => clearTimeout(timer));
}

/** Whether this user may upload a file now. Aborts the oldest upload if it has taken too long. */
function mayUpload(userId: string): boolean {
  if (uploads.has(userId)) return false;
  if (uploads.size < UPLOADS_MAX) return true;
  const [oldest] = uploads;
  if (!oldest || performance.now() - oldest[1].startedAt < PREEMPTIBLE_AFTER_MS) return false;
  uploads.delete(oldest[0]);
  oldest[1].abort();
  return true;
}

type FileForm = { body: Buffer<ArrayBuffer>; omission?: (typeof FILE_OMISSIONS)[number] };

/**
 * Reads a form whose last field is a file. If the file is too large, or too many uploads are running, returns the other
 * fields, and why the file was left out.
 */
export async function readFileForm(request: Request, userId: string): Promise<FileForm> {
  const length = Number(request.headers.get('Content-Length') ?? Number.POSITIVE_INFINITY);
  if (length <= BODY_BYTES_MAX)
    return { body: (await withTimeout(readStart(request, BODY_BYTES_MAX))).bytes };
  const maxBytes = SCREENSHOT_BYTES_MAX + BODY_BYTES_MAX;
  if (Number.isFinite(length) && length > maxBytes) return withoutFile(request, 'too large');
  if (!mayUpload(userId)) return withoutFile(request, 'busy');
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const upload = { startedAt: performance.now(), abort: () => reject(timedOut()) };
  uploads.set(userId, upload);
  try {
    const { bytes, isComplete } = await withTimeout(readStart(request, maxBytes), aborted);
    return isComplete ? { body: bytes } : { body: completeParts(request, bytes), omission: 'too large' };
  } finally {
    // The user may have started another upload since this one was aborted.
    if (uploads.get(userId) === upload) uploads.delete(userId);
  }
}

async function withoutFile(request: Request, omission: FileForm['omission']): Promise<FileForm> {
  const { bytes } = await withTimeout(readStart(request, BODY_BYTES_MAX));
  return { body: completeParts(request, bytes), omission };
}
