import { randomUUID } from 'node:crypto';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser } from './accounts.ts';
import { makeConnection } from './linkedin.ts';
import { makeScheduledPost, makeTopic, standAs, takeOut } from './posts.ts';

type Published = { content?: string; hashtags?: string[]; imageUrl?: string; topicName?: string; at?: Date };

/** A post that is out on LinkedIn since a moment. */
export async function makePublished(db: Db, actor: Actor, published: Published = {}): Promise<string> {
  const { topicName = 'Weekly planning', at: postedAt = new Date(), ...options } = published;
  const id = await makeScheduledPost(db, actor, options);
  const topic = await makeTopic(db, actor, `${topicName} ${randomUUID().slice(0, 4)}`);
  await db.updateTable('posts').set({ topicId: topic.id }).where('id', '=', id).execute();
  await takeOut(db, id);
  const networkUrn = `urn:li:share:${postedAt.getTime()}${Math.floor(Math.random() * 1e5)}`;
  await standAs(db, id, { status: 'published', postedAt, networkUrn });
  return id;
}

/** Somebody who is connected and lets the start page show their newest post. */
export async function makeShownAuthor(db: Db): Promise<Actor> {
  const actor = await makeUser(db);
  await makeConnection(db, actor);
  await db.updateTable('users').set({ showsPostsSince: new Date() }).where('id', '=', actor.userId).execute();
  return actor;
}
