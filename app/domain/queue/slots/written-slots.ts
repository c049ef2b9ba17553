import type { Db } from '#app/db/client.ts';
import { listSlotsOfOwnRuns } from '#app/domain/posts/memory/memory.ts';

/** Over days that are left out, posts are written long before their slots. */
const WRITTEN_WITHIN_MS = 60 * 86_400_000;

/**
 * The slots that runs have written for, as "date number". One that its owner emptied since stays empty: its post was
 * deleted, or set aside.
 */
export const listWrittenSlots = (db: Db, userId: string, now: Date): Promise<Set<string>> =>
  listSlotsOfOwnRuns(db, userId, new Date(now.getTime() - WRITTEN_WITHIN_MS));
