import type { Db } from '#app/db/client.ts';
import { HELD } from './columns.ts';

type OfPost = { postId: string };

/** The rows of each post, without its id, which the post has. */
function byPost<Row extends OfPost>(rows: Row[]): (postId: string) => Omit<Row, 'postId'>[] {
  const grouped = Map.groupBy(rows, ({ postId }) => postId);
  return (postId) => (grouped.get(postId) ?? []).map(({ postId: _, ...row }) => row);
}

/** Posts with where they stand, every attempt and text, how they were made and what was counted. */
export async function withAllOfPosts<Post extends { id: string }>(db: Db, posts: Post[]): Promise<object[]> {
  if (posts.length === 0) return [];
  const ids = posts.map(({ id }) => id);
  const [deliveries, publications, versions, engagements, briefs, uses, bars] = await Promise.all([
    db.selectFrom('deliveries').select(HELD.deliveries).where('postId', 'in', ids).execute(),
    db.selectFrom('publications').select(HELD.publications).where('postId', 'in', ids).execute(),
    db.selectFrom('postVersions').select(HELD.postVersions).where('postId', 'in', ids).execute(),
    db.selectFrom('engagements').select(HELD.engagements).where('postId', 'in', ids).execute(),
    db.selectFrom('briefs').select(HELD.briefs).where('postId', 'in', ids).execute(),
    db.selectFrom('factUses').select(HELD.factUses).where('postId', 'in', ids).execute(),
    db.selectFrom('startPageBars').select(HELD.startPageBars).where('postId', 'in', ids).execute(),
  ]);
  const [standing, attempts, texts] = [byPost(deliveries), byPost(publications), byPost(versions)];
  const [counted, made, used] = [byPost(engagements), byPost(briefs), byPost(uses)];
  const takenOff = byPost(bars);
  return posts.map((post) => ({
    ...post,
    delivery: standing(post.id)[0] ?? null,
    publications: attempts(post.id),
    versions: texts(post.id),
    engagement: counted(post.id)[0] ?? null,
    brief: made(post.id)[0] ?? null,
    takenOffStartPage: takenOff(post.id)[0] ?? null,
    factsUsed: used(post.id).map(({ factId }) => factId),
  }));
}

/** Runs with what the writer was asked for each place of them. */
export async function withPlaces<Run extends { id: string }>(db: Db, runs: Run[]): Promise<object[]> {
  if (runs.length === 0) return [];
  const ids = runs.map(({ id }) => id);
  const tries = await db.selectFrom('runTries').select(HELD.runTries).where('runId', 'in', ids).execute();
  const grouped = Map.groupBy(tries, ({ runId }) => runId);
  return runs.map((run) => ({
    ...run,
    places: (grouped.get(run.id) ?? []).map(({ runId: _, ...place }) => place),
  }));
}

/** Requests with what was written in each after it; notes are about us. */
export async function withThreads<Ticket extends { id: string }>(
  db: Db,
  tickets: Ticket[],
): Promise<object[]> {
  if (tickets.length === 0) return [];
  const ids = tickets.map(({ id }) => id);
  const replies = await db
    .selectFrom('supportReplies')
    .select(HELD.supportReplies)
    .where('ticketId', 'in', ids)
    .where('kind', '<>', 'note')
    .orderBy('createdAt')
    .execute();
  const grouped = Map.groupBy(replies, ({ ticketId }) => ticketId);
  return tickets.map((ticket) => ({
    ...ticket,
    thread: (grouped.get(ticket.id) ?? []).map(({ ticketId: _, ...reply }) => reply),
  }));
}
