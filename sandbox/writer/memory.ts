import type { Brief } from './brief.ts';
import type { Composed } from './compose.ts';
import type { AuthorMemory } from './voice.ts';
import { wordsOf } from './words.ts';

/** What was written for each author. The key of an author is their profile; the openings in a prompt identify them too. */
export type WriterMemory = { authors: Map<string, AuthorMemory>; byOpening: Map<string, AuthorMemory> };

export const createWriterMemory = (): WriterMemory => ({ authors: new Map(), byOpening: new Map() });

const newAuthor = (): AuthorMemory => ({ posts: 0, uses: new Map(), closings: [], hashtags: 0 });

const lineOf = (text: string) => wordsOf(text).join(' ');

export function authorOf(memory: WriterMemory, brief: Brief): AuthorMemory {
  const { author, reader, voice, language, tone } = brief;
  const known = brief.openings
    .map((line) => memory.byOpening.get(lineOf(line)))
    .find((each) => each !== undefined);
  const name = [author, reader, voice, language, author ? '' : tone].join('\n');
  const authorMemory = known ?? memory.authors.get(name) ?? newAuthor();
  if (!memory.authors.has(name)) memory.authors.set(name, authorMemory);
  return authorMemory;
}

/** Records the used texts, so that they are not used again soon. */
export function remember(
  memory: WriterMemory,
  author: AuthorMemory,
  { texts, closing }: Composed,
  thesis: string,
) {
  for (const { template } of texts) author.uses.set(template, author.posts);
  author.uses.set(`thesis ${thesis}`, author.posts);
  author.closings.push(closing);
  author.posts += 1;
  const [opening] = texts;
  if (opening) memory.byOpening.set(lineOf(opening.text), author);
}
