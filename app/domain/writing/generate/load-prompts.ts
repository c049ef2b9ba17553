import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Above this file; the pages are built into a file of their own, build/server/index.js. */
const FOLDERS = ['../prompts', '../../app/domain/writing/prompts'];
const FOLDER = FOLDERS.map((each) => path.join(import.meta.dirname, each)).find((each) => existsSync(each))!;

const read = (name: string) => readFileSync(path.join(FOLDER, `${name}.md`), 'utf8').trim();

/** The parts of a text that begin with "## name", by their names. */
const sections = (name: string): Map<string, string> =>
  new Map(
    read(name)
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const [title = '', ...lines] = part.split('\n');
        return [title.trim(), lines.join('\n').trim()];
      }),
  );

/** What is said to the writer, as it stands in the folder `prompts`: changing it needs no code. */
export const TEXTS = {
  instructions: read('instructions'),
  reread: read('reread'),
  mend: read('mend'),
  again: read('again'),
  picture: read('picture'),
};

const PARTS = {
  angle: sections('angles'),
  opening: sections('openings'),
  ending: sections('endings'),
  limit: sections('limits'),
  length: sections('lengths'),
  tone: sections('tones'),
};

/** What one decision of a brief means, in words for the writer. Throws when the folder has none for it. */
export function partOf(part: keyof typeof PARTS, name: string): string {
  const text = PARTS[part].get(name);
  if (text === undefined) throw new Error(`The prompts have no "${name}" among ${part}`);
  return text;
}

/** Sentences of the instructions, for seeing whether an answer repeats them. */
export const instructionLines = Object.values(TEXTS)
  .flatMap((text) => text.split('\n'))
  .filter((line) => line.length > 40);
