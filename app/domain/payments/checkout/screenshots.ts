import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { PICTURE_TYPE } from '#app/domain/platform/images.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { busy, cleanPicture, tooLarge } from './reencode-image.ts';

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

export async function keepScreenshot(trx: Trx, paymentId: string, { bytes, hashes }: Screenshot) {
  const picture = { paymentId, contentType: PICTURE_TYPE, bytes };
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
