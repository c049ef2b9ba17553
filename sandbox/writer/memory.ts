import type { Brief } from './brief.ts';
import type { Composed } from './compose.ts';
import type { AuthorMemory } from './voice.ts';
import { wordsOf } from './words.ts';

/** What was written for whom: an author is known by how they sound, and by the openings that the prompt repeats. */
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
  const found = known ?? memory.authors.get(name) ?? newAuthor();
  if (!memory.authors.has(name)) memory.authors.set(name, found);
  return found;
}

/** Remembers what was said, so that it is not said again soon. */
export function remember(
  memory: WriterMemory,
  author: AuthorMemory,
  { said, closing }: Composed,
  thesis: string,
) {
  for (const { template } of said) author.uses.set(template, author.posts);
  author.uses.set(`thesis ${thesis}`, author.posts);
  author.closings.push(closing);
  author.posts += 1;
  const [opening] = said;
  if (opening) memory.byOpening.set(lineOf(opening.text), author);
}
