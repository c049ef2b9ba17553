import type { Trx } from '#app/db/client.ts';
import type { Publication } from '#app/domain/publishing/send/attempt.ts';
import { listOthersUnder } from '#app/domain/queue/linkedin-urns.ts';

/**
 * Whether it is this post that LinkedIn calls the first: it also refuses what repeats another post of the member.
 * That is one for which it named the urn, deleted or not, or one with the same text whose owner pasted the urn.
 */
export async function isOwnUrn(trx: Trx, publication: Publication, urn: string | null): Promise<boolean> {
  if (urn === null) return false;
  const { postId: id, userId, body } = publication;
  const others = await listOthersUnder(trx, { id, userId }, urn);
  if (others.length === 0) return true;
  const ids = others.map((other) => other.id);
  const repeated = await trx
    .selectFrom('publications')
    .select('id')
    .where('postId', 'in', ids)
    .where((eb) => eb.or([eb('networkUrn', '=', urn), eb('body', '=', body)]))
    .executeTakeFirst();
  return repeated === undefined;
}

/** The last earlier attempt of this very text that may have reached the network. */
export const findUncertainAttempt = (trx: Trx, publication: Publication) =>
  trx
    .selectFrom('publications')
    .select('startedAt')
    .where('postId', '=', publication.postId)
    .where('id', '<>', publication.id)
    .where('state', 'in', ['unknown', 'held'])
    .where('body', '=', publication.body)
    .orderBy('startedAt', 'desc')
    .executeTakeFirst();
