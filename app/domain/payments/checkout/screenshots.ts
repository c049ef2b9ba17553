import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { IMAGE_TYPE, reencodeImage } from '#app/domain/platform/images.ts';
import { findOrRefuse } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

/** The maximum width and height: small print of a tall screenshot stays readable. */
const SIDE_MAX = 2_400;
/** A process decodes one image at a time; at most so many more wait. */
const WAITING_MAX = 8;

const badScreenshot = (sentence: string) =>
  new Refusal(422, 'bad_screenshot', sentence, { field: 'screenshot' });

const tooLarge = () =>
  badScreenshot(
    `The screenshot is over ${SCREENSHOT_BYTES_MAX / 1024 ** 2} MB. Choose a smaller one, or submit without it`,
  );
const wrongKind = () =>
  badScreenshot(
    'The screenshot has to be a PNG, JPEG or WebP picture. Choose another one, or submit without it',
  );
const unreadable = () =>
  badScreenshot('We could not read this screenshot. Choose another one, or submit without it');
const busy = () =>
  new Refusal(
    503,
    'busy',
    'Many screenshots are looked at just now. Try again in a minute, or submit without it',
    {
      field: 'screenshot',
      retryAfter: 60,
    },
  );

const hasBytes = (bytes: Buffer, text: string, offset = 0) =>
  bytes.subarray(offset, offset + text.length).toString('latin1') === text;

/** By the first bytes, because the sender controls name and type. */
const isImage = (bytes: Buffer) =>
  hasBytes(bytes, '\x89PNG\r\n\x1a\n') ||
  hasBytes(bytes, '\xff\xd8\xff') ||
  (hasBytes(bytes, 'RIFF') && hasBytes(bytes, 'WEBP', 8));

async function decode(bytes: Buffer): Promise<Buffer> {
  const decoded = await reencodeImage(bytes, { side: SIDE_MAX, quality: 80 });
  if (!decoded) throw unreadable();
  return decoded;
}

let queue: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Removes everything but the image. Throws a Refusal when it is too large, of another type, or unreadable. */
export async function reencodeScreenshot(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > SCREENSHOT_BYTES_MAX) throw tooLarge();
  if (!isImage(bytes)) throw wrongKind();
  if (waiting >= WAITING_MAX) throw busy();
  waiting += 1;
  const decoded = queue.then(() => decode(bytes));
  queue = decoded.catch(() => {});
  try {
    const reencoded = await decoded;
    if (reencoded.length > SCREENSHOT_BYTES_MAX) throw tooLarge();
    return reencoded;
  } finally {
    waiting -= 1;
  }
}

export type UploadedScreenshot = File | 'too large' | 'busy';

/** A re-encoded image, and the hashes that detect a repeated one. */
export type Screenshot = { bytes: Buffer; hashes: string[] };

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export async function readScreenshot(upload: UploadedScreenshot): Promise<Screenshot> {
  if (upload === 'too large') throw tooLarge();
  if (upload === 'busy') throw busy();
  const file = Buffer.from(await upload.arrayBuffer());
  const bytes = await reencodeScreenshot(file);
  return { bytes, hashes: [hashOf(file), hashOf(bytes)] };
}

export async function storeScreenshot(trx: Trx, paymentId: string, { bytes, hashes }: Screenshot) {
  const screenshot = { paymentId, contentType: IMAGE_TYPE, bytes };
  await trx.insertInto('paymentScreenshots').values(screenshot).execute();
  await trx.updateTable('payments').set({ screenshotHashes: hashes }).where('id', '=', paymentId).execute();
}

/** The first other payment with the same screenshot, and how many more. Rejected ones count last. */
export async function findSameScreenshots(db: Db, paymentIds: string[]) {
  const rows = await db
    .selectFrom('payments as own')
    .innerJoin('payments as other', (join) =>
      join.on(sql<boolean>`own.screenshot_hashes && other.screenshot_hashes
        and own.request_id is distinct from other.request_id`),
    )
    .select(['own.id', 'other.reference', 'other.payerName', 'other.status'])
    .where(sql<boolean>`own.id = any(${paymentIds}::uuid[])`)
    .orderBy('own.id')
    .orderBy((eb) => eb('other.status', '=', 'rejected'))
    .orderBy('other.createdAt')
    .execute();
  const byPayment = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...byPayment].map(([id, [first, ...rest]]) => {
      const more = new Set(rest.map(({ reference }) => reference)).difference(new Set([first!.reference]));
      return [id, { ...first!, more: more.size }];
    }),
  );
}

export const screenshotUrl = ({ id, hasScreenshot }: { id: string; hasScreenshot: boolean }) =>
  hasScreenshot ? new URL(`/api/v1/admin/payment-screenshot/${id}`, env().APP_URL).href : null;

export async function getScreenshot(db: Db, paymentId: string) {
  return findOrRefuse('This screenshot', paymentId, () =>
    db
      .selectFrom('paymentScreenshots')
      .innerJoin('payments', 'payments.id', 'paymentScreenshots.paymentId')
      .select(['contentType', 'bytes', 'reference'])
      .where('paymentId', '=', paymentId)
      .executeTakeFirst(),
  );
}
