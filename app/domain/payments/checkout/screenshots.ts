import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { IMAGE_TYPE, reencodeImage } from '#app/domain/platform/images.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

/** What is kept is no larger than this either way: small print of a tall screen can still be read. */
const SIDE_MAX = 2_400;
/** One picture is decoded at a time in a process; so many more wait for that. */
const WAITING_MAX = 8;

const refuse = (sentence: string) => new Refusal(422, 'bad_screenshot', sentence, { field: 'screenshot' });

const tooLarge = () =>
  refuse(
    `The screenshot is over ${SCREENSHOT_BYTES_MAX / 1024 ** 2} MB. Choose a smaller one, or submit without it`,
  );
const wrongKind = () =>
  refuse('The screenshot has to be a PNG, JPEG or WebP picture. Choose another one, or submit without it');
const unreadable = () =>
  refuse('We could not read this screenshot. Choose another one, or submit without it');
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

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/** By its first bytes: names and types are what a sender says. */
const isPicture = (bytes: Buffer) =>
  startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, '\xff\xd8\xff') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8));

async function draw(bytes: Buffer): Promise<Buffer> {
  const drawn = await reencodeImage(bytes, { side: SIDE_MAX, quality: 80 });
  if (!drawn) throw unreadable();
  return drawn;
}

let line: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * The picture that `bytes` show, drawn anew: nothing else that was in the file is in what this answers. Refuses what is
 * too large, no PNG, JPEG or WebP by its content, or cannot be drawn within bounds of pixels, memory and time.
 */
export async function cleanPicture(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > SCREENSHOT_BYTES_MAX) throw tooLarge();
  if (!isPicture(bytes)) throw wrongKind();
  if (waiting >= WAITING_MAX) throw busy();
  waiting += 1;
  const drawn = line.then(() => draw(bytes));
  line = drawn.catch(() => {});
  try {
    const clean = await drawn;
    if (clean.length > SCREENSHOT_BYTES_MAX) throw tooLarge();
    return clean;
  } finally {
    waiting -= 1;
  }
}

/** What a form brought: a file, or why it was not read. */
export type SentScreenshot = File | 'too large' | 'busy';

/** A picture as it may be kept, and what it is known by when it comes again. */
export type Screenshot = { bytes: Buffer; hashes: string[] };

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The picture that a payer sent with a transaction; a Refusal of every other file. */
export async function readScreenshot(sent: SentScreenshot): Promise<Screenshot> {
  if (sent === 'too large') throw tooLarge();
  if (sent === 'busy') throw busy();
  const file = Buffer.from(await sent.arrayBuffer());
  const bytes = await cleanPicture(file);
  return { bytes, hashes: [hashOf(file), hashOf(bytes)] };
}

export async function storeScreenshot(trx: Trx, paymentId: string, { bytes, hashes }: Screenshot) {
  const picture = { paymentId, contentType: IMAGE_TYPE, bytes };
  await trx.insertInto('paymentScreenshots').values(picture).execute();
  await trx.updateTable('payments').set({ screenshotHashes: hashes }).where('id', '=', paymentId).execute();
}

/**
 * Of each of these payments the first one of another request, whosever it is, that came with the same screenshot, and how
 * many requests more did; one that was rejected only where there is no other.
 */
export async function findSameScreenshots(db: Db, paymentIds: string[]) {
  const found = await db
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
  const ofEach = Map.groupBy(found, ({ id }) => id);
  return new Map(
    [...ofEach].map(([id, [first, ...rest]]) => {
      const more = new Set(rest.map(({ reference }) => reference)).difference(new Set([first!.reference]));
      return [id, { ...first!, more: more.size }];
    }),
  );
}

/** Where an admin's program finds the screenshot of a payment; null when none came with it. */
export const screenshotUrl = ({ id, hasScreenshot }: { id: string; hasScreenshot: boolean }) =>
  hasScreenshot ? new URL(`/api/v1/admin/payment-screenshot/${id}`, env().APP_URL).href : null;

/** What an admin compares a payment with. */
export async function getScreenshot(db: Db, paymentId: string) {
  const found = isId(paymentId)
    ? await db
        .selectFrom('paymentScreenshots')
        .innerJoin('payments', 'payments.id', 'paymentScreenshots.paymentId')
        .select(['contentType', 'bytes', 'reference'])
        .where('paymentId', '=', paymentId)
        .executeTakeFirst()
    : undefined;
  if (!found) throw notFound('This screenshot');
  return found;
}
