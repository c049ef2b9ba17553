import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { env } from '#app/env.ts';
import { findPictured } from './claim.ts';
import { publishOne } from './concurrency.ts';
import { publishPost } from './publish-one.ts';
import { stopping } from './shutdown-signal.ts';

type QueuedImage = { postId: string; userId: string };

/**
 * So many of the jobs of a process may have a picture under way: each costs up to 30 MB before its memory is
 * cleaned up, for as long as the picture's server likes. A single user has a third of the places.
 */
const placesOf = (concurrency: number) => {
  const all = Math.max(1, Math.floor(concurrency / 8));
  return { all, ofOneUser: Math.ceil(all / 3) };
};

/** The posts with a picture in one process: which have their turn, and which wait for it, by user. */
class ImageQueue {
  readonly #places = placesOf(env().WORKER_CONCURRENCY);
  readonly #running = new Set<QueuedImage>();
  /** Users in the order of their next turn. */
  readonly #waiting = new Map<string, Set<string>>();

  wait({ postId, userId }: QueuedImage): void {
    this.#waiting.set(userId, (this.#waiting.get(userId) ?? new Set()).add(postId));
  }

  /** The next turn, when there is a place for it. */
  begin(): QueuedImage | undefined {
    if (stopping.aborted || this.#running.size >= this.#places.all) return undefined;
    for (const userId of this.#waiting.keys()) {
      if (this.#countOf(userId) < this.#places.ofOneUser) return this.#take(userId);
    }
    return undefined;
  }

  end(turn: QueuedImage): void {
    this.#running.delete(turn);
  }

  /** Everything that waits, which waits here no more. */
  clear(): { postId: string }[] {
    const all = [...this.#waiting.values()].flatMap((posts) => [...posts]);
    this.#waiting.clear();
    return all.map((postId) => ({ postId }));
  }

  #countOf(userId: string): number {
    return [...this.#running].filter((turn) => turn.userId === userId).length;
  }

  #take(userId: string): QueuedImage {
    const posts = this.#waiting.get(userId)!;
    const [postId] = posts;
    posts.delete(postId!);
    this.#waiting.delete(userId);
    if (posts.size > 0) this.#waiting.set(userId, posts);
    const turn = { postId: postId!, userId };
    this.#running.add(turn);
    return turn;
  }
}

const turnsOf = new WeakMap<Db, ImageQueue>();

/**
 * Publishes a post. One with a picture has to wait for its turn, outside its job and without a lease: the job
 * ends, and one that has a place goes on with whose turn it is. What waits when the process dies is added again
 * by the tick, and so is what waits for minutes. After an error the jobs that are left, or its own next try, go on.
 */
export async function publishQueued(db: Db, postId: string): Promise<void> {
  const pictured = await findPictured(db, postId);
  if (!pictured) return publishOne(db, postId);
  const turns = turnsOf.get(db) ?? new ImageQueue();
  turnsOf.set(db, turns);
  turns.wait(pictured);
  try {
    for (let turn = turns.begin(); turn; turn = turns.begin()) {
      await publishPost(db, turn.postId).finally(() => turns.end(turn!));
    }
  } finally {
    if (stopping.aborted) await enqueueAll(db, jobs.publishPost, turns.clear());
  }
}
