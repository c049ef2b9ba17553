import type { Db } from '#app/db/client.ts';
import { type Deletion, findDeletionById } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

const linkText = (id: string) => `keep account ${id}`;

/** The link in the mail that cancels the deletion. It works until the deletion begins, whatever else changes. */
export const cancelDeletionUrl = ({ id }: { id: string }): string =>
  `${env().APP_URL}/keep-account?${new URLSearchParams({ key: `${id}.${sign(linkText(id))}` })}`;

/** Throws a Refusal when the link is not ours, or the deletion is over or has begun. */
export async function openCancelLink(db: Db, key: string): Promise<Deletion> {
  const [, id = '', signature = ''] = /^([^.]{36})\.(.{1,200})$/.exec(key) ?? [];
  const isOurs = isId(id) && isSigned(linkText(id), signature);
  const deletion = isOurs ? await findDeletionById(db, id) : undefined;
  if (!deletion) {
    throw new Refusal(
      404,
      'link_invalid',
      'This link is not valid, or the account was kept or deleted since',
    );
  }
  if (deletion.erasingAt) {
    throw new Refusal(409, 'too_late', 'The account is being deleted just now, and cannot be kept any more');
  }
  return deletion;
}
