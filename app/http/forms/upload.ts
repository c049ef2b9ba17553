import { data } from 'react-router';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { BODY_BYTES_MAX, type FILE_LEFT_OUT } from '#app/http/limits.ts';
import { readStart } from './read-body.ts';

/** The addresses that take a payment, with the dialog in which its form stands. */
const PAGES = new Set(['/app/dashboard', '/app/payments']);
const DIALOG = 'subscribe';

/** So many bodies with a file are read at once in a process, one of each account, within this time. */
const PLACES = 8;
const SENT_WITHIN_MS = 60_000;
/** Whose file takes longer than this gives its place up to somebody who has none. */
const PATIENCE_MS = 10_000;
type Reading = { since: number; giveUp(): void };
/** By account, in the order in which they began. */
const reading = new Map<string, Reading>();

const BOUNDARY = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** Whether this is the one form that may carry a file. Every other body is held to the limit of all forms. */
export const carriesFile = ({ method, headers }: Request, { pathname, searchParams }: URL) =>
  method === 'POST' &&
  PAGES.has(pathname) &&
  searchParams.get('dialog') === DIALOG &&
  BOUNDARY.test(headers.get('Content-Type') ?? '');

/** Of a body that is cut off, the parts that are whole, as a body. */
function wholeParts({ headers }: Request, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const [, quoted, bare] = BOUNDARY.exec(headers.get('Content-Type')!)!;
  const mark = `\r\n--${quoted ?? bare}`;
  const start = bytes.subarray(0, BODY_BYTES_MAX);
  const end = start.lastIndexOf(Buffer.from(mark, 'latin1'));
  return Buffer.concat([start.subarray(0, Math.max(0, end)), Buffer.from(`${mark}--\r\n`, 'latin1')]);
}

const late = () =>
  data('Your form did not arrive in time. Send it once more, or without a file.', { status: 408 });

async function inTime<T>(reads: Promise<T>, givenUp?: Promise<never>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(late()), SENT_WITHIN_MS);
  });
  return Promise.race([reads, tooLong, ...(givenUp ? [givenUp] : [])]).finally(() => clearTimeout(timer));
}

/** Whether there is a place for a file of an account; one that has been read for long is given up for it. */
function findPlace(userId: string): boolean {
  if (reading.has(userId)) return false;
  if (reading.size < PLACES) return true;
  const [slowest] = reading;
  if (!slowest || performance.now() - slowest[1].since < PATIENCE_MS) return false;
  reading.delete(slowest[0]);
  slowest[1].giveUp();
  return true;
}

type Read = { body: Buffer<ArrayBuffer>; leftOut?: (typeof FILE_LEFT_OUT)[number] };

/**
 * The body of a form with a file, which stands behind all other fields. When the file is too large, or too many are read
 * already, the fields are taken without it, with why.
 */
export async function readFileForm(request: Request, userId: string): Promise<Read> {
  const announced = Number(request.headers.get('Content-Length') ?? Number.POSITIVE_INFINITY);
  if (announced <= BODY_BYTES_MAX) return { body: (await inTime(readStart(request, BODY_BYTES_MAX))).bytes };
  const most = SCREENSHOT_BYTES_MAX + BODY_BYTES_MAX;
  if (Number.isFinite(announced) && announced > most) return withoutFile(request, 'too large');
  if (!findPlace(userId)) return withoutFile(request, 'busy');
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const own = { since: performance.now(), giveUp: () => reject(late()) };
  reading.set(userId, own);
  try {
    const { bytes, isWhole } = await inTime(readStart(request, most), givenUp);
    return isWhole ? { body: bytes } : { body: wholeParts(request, bytes), leftOut: 'too large' };
  } finally {
    // Its account may have another place by now.
    if (reading.get(userId) === own) reading.delete(userId);
  }
}

async function withoutFile(request: Request, leftOut: Read['leftOut']): Promise<Read> {
  const { bytes } = await inTime(readStart(request, BODY_BYTES_MAX));
  return { body: wholeParts(request, bytes), leftOut };
}
