import type { Db } from '#app/db/client.ts';
import { type Deletion, findDeletionById } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

const wordsOf = (id: string) => `keep account ${id}`;

/** The mailed address at which a deletion can be undone: for as long as it waits, whatever else of the account changes. */
export const cancelDeletionUrl = ({ id }: { id: string }): string =>
  `${env().APP_URL}/keep-account?${new URLSearchParams({ key: `${id}.${sign(wordsOf(id))}` })}`;

/** The deletion that a link lets whoever has it undo. Refuses what we did not mail, and what is over. */
export async function openCancelLink(db: Db, key: string): Promise<Deletion> {
  const [, id = '', signature = ''] = /^([^.]{36})\.(.{1,200})$/.exec(key) ?? [];
  const isOurs = isId(id) && isSigned(wordsOf(id), signature);
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
