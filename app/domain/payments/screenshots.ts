import type { Db, Trx } from '#app/db/client.ts';
import { PICTURE_TYPE } from '#app/domain/draw-picture.ts';
import { isId } from '#app/domain/paging.ts';
import { notFound } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { busy, cleanPicture, tooLarge } from './clean-picture.ts';

/** What a form brought: a file, or why it was not read. */
export type SentScreenshot = File | 'too large' | 'busy';

/** The picture that a payer sent with a transaction, as it may be kept; a Refusal of every other file. */
export async function readScreenshot(sent: SentScreenshot): Promise<Buffer> {
  if (sent === 'too large') throw tooLarge();
  if (sent === 'busy') throw busy();
  return cleanPicture(Buffer.from(await sent.arrayBuffer()));
}

export const keepScreenshot = (trx: Trx, paymentId: string, bytes: Buffer) =>
  trx.insertInto('paymentScreenshots').values({ paymentId, contentType: PICTURE_TYPE, bytes }).execute();

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
