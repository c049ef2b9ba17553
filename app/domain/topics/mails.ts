import type { Trx } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { env } from '#app/env.ts';

type PausedTopic = {
  id: string;
  userId: string;
  name: string;
  failures: number;
  failure: string;
  pausedAt: Date;
};

/** One mail for one pause: a paused topic that is asked for and fails again was told of already. */
export async function tellPaused(
  trx: Trx,
  { id, userId, name, failures, failure, pausedAt }: PausedTopic,
  hasOthers: boolean,
): Promise<void> {
  const data = { topic: name, failures, failure, hasOthers, url: `${env().APP_URL}/app/topics?edit=${id}` };
  await mailUser(trx, userId, 'topicPaused', data, `topic-paused:${id}:${pausedAt.getTime()}`);
}
