const LATELY = 15;

/**
 * How often each sentence was used, and the pieces of each topic's posts: the least used comes next. Of those that begin
 * and end a post the one that was used longest ago, by the post in which that was.
 */
export type WriterMemory = {
  uses: Map<string, number>;
  lastUse: Map<string, number>;
  posts: number;
  written: Map<string, Set<string>[]>;
};

export function createWriterMemory(): WriterMemory {
  return { uses: new Map(), lastUse: new Map(), posts: 0, written: new Map() };
}

/** Takes so many sentences, the least used first, in an order the seed decides. */
export function take(memory: WriterMemory, pool: string[], count: number, random: () => number): string[] {
  return pool
    .map((sentence) => ({ sentence, rank: (memory.uses.get(sentence) ?? 0) + random() * 0.99 }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ sentence }) => sentence);
}

/** In an order the seed decides, with those first that were used longest ago. */
export const longestAgo = ({ lastUse }: WriterMemory, pool: string[], random: () => number): string[] =>
  pool
    .map((sentence) => ({ sentence, rank: (lastUse.get(sentence) ?? -1) + random() * 0.99 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ sentence }) => sentence);

/** A post does not end as one of the ten before it: what did so lately gets a sentence before it. */
export const wasLately = ({ lastUse, posts }: WriterMemory, sentence: string): boolean =>
  posts - (lastUse.get(sentence) ?? -LATELY) < LATELY;
