import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { env } from '#app/env.ts';
import { findPostWithImage } from './claim.ts';
import { publishOne } from './concurrency.ts';
import { publishPost } from './publish-post.ts';
import { stopping } from './shutdown-signal.ts';

type QueuedImage = { postId: string; userId: string };

/**
 * How many posts with an image a process sends in parallel: each takes up to 30 MB, for as long as the server of the
 * image takes. One user may have a third of them.
 */
const limitsFor = (concurrency: number) => {
  const total = Math.max(1, Math.floor(concurrency / 8));
  return { total, perUser: Math.ceil(total / 3) };
};

/** The posts with an image of one process, running and waiting, in turn by user. */
class ImageQueue {
  readonly #limits = limitsFor(env().WORKER_CONCURRENCY);
  readonly #running = new Set<QueuedImage>();
  /** By user, in the order of their next turn: the ids of their waiting posts. */
  readonly #waiting = new Map<string, Set<string>>();

  add({ postId, userId }: QueuedImage): void {
    this.#waiting.set(userId, (this.#waiting.get(userId) ?? new Set()).add(postId));
  }

  /** Starts the next post and returns it, or undefined when none waits or a limit is reached. */
  start(): QueuedImage | undefined {
    if (stopping.aborted || this.#running.size >= this.#limits.total) return undefined;
    for (const userId of this.#waiting.keys()) {
      if (this.#countRunning(userId) < this.#limits.perUser) return this.#take(userId);
    }
    return undefined;
  }

  end(image: QueuedImage): void {
    this.#running.delete(image);
  }

  clear(): { postId: string }[] {
    const all = [...this.#waiting.values()].flatMap((posts) => [...posts]);
    this.#waiting.clear();
    return all.map((postId) => ({ postId }));
  }

  #countRunning(userId: string): number {
    return [...this.#running].filter((image) => image.userId === userId).length;
  }

  #take(userId: string): QueuedImage {
    const posts = this.#waiting.get(userId)!;
    const [postId] = posts;
    posts.delete(postId!);
    this.#waiting.delete(userId);
    if (posts.size > 0) this.#waiting.set(userId, posts);
    const image = { postId: postId!, userId };
    this.#running.add(image);
    return image;
  }
}

const queues = new WeakMap<Db, ImageQueue>();

/**
 * Publishes a post. A post with an image waits for its turn outside its job and without a lease: the job ends, and a
 * running job continues with the next post. The tick adds posts again that wait for minutes, or whose process died.
 */
export async function publishQueued(db: Db, postId: string): Promise<void> {
  const withImage = await findPostWithImage(db, postId);
  if (!withImage) return publishOne(db, postId);
  const queue = queues.get(db) ?? new ImageQueue();
  queues.set(db, queue);
  queue.add(withImage);
  try {
    for (let image = queue.start(); image; image = queue.start()) {
      await publishPost(db, image.postId).finally(() => queue.end(image!));
    }
  } finally {
    if (stopping.aborted) await enqueueAll(db, jobs.publishPost, queue.clear());
  }
}
