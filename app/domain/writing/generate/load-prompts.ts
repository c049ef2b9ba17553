import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Relative to this file, and to build/server/index.js. */
const FOLDERS = ['../prompts', '../../app/domain/writing/prompts'];
const FOLDER = FOLDERS.map((each) => path.join(import.meta.dirname, each)).find((each) => existsSync(each))!;

const read = (name: string) => readFileSync(path.join(FOLDER, `${name}.md`), 'utf8').trim();

/** Returns the sections of a prompt file by their headings ("## name"). */
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

export const TEXTS = {
  instructions: read('instructions'),
  reread: read('reread'),
  fix: read('fix'),
  rewrite: read('rewrite'),
  altText: read('alt-text'),
};

const PARTS = {
  angle: sections('angles'),
  opening: sections('openings'),
  ending: sections('endings'),
  limit: sections('caveats'),
  length: sections('lengths'),
  tone: sections('tones'),
};

/** Returns the text of the prompts for one decision of a brief. Throws when there is none. */
export function partOf(part: keyof typeof PARTS, name: string): string {
  const text = PARTS[part].get(name);
  if (text === undefined) throw new Error(`The prompts have no "${name}" among ${part}`);
  return text;
}

/** Lines of the instructions, to detect drafts that repeat them. */
export const instructionLines = Object.values(TEXTS)
  .flatMap((text) => text.split('\n'))
  .filter((line) => line.length > 40);
