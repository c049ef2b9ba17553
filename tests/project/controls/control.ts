import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#scripts/run.ts';

/** What must notice: points of the fault suite by name, or a test file, by the end of its path, with the words of a test's name. */
export type NoticedBy = { points: string[] } | { test: string; named?: string };

/**
 * A text that occurs once in a folder, at any depth, and what takes its place. Where the text occurs in several files
 * of a folder, `in` is the path of the file.
 */
export type Edit = { in: string; from: string; to: string };

export type Control = Edit & {
  /** What is so once the control is gone. */
  what: string;
  /** Taken away with it, where a second one would hold what the first has let go. */
  and?: Edit[];
  noticedBy: NoticedBy;
};

/** The one file below `folder` that has the text of an edit, once. Throws when there is none, or more. */
export function fileOf({ in: place, from }: Edit, root = ROOT): string {
  const files = path.extname(place) ? [place] : globSync(`${place}/**/*.*`, { cwd: root });
  const found = files.flatMap((file) => {
    const times = readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
    return Array<string>(times).fill(file);
  });
  if (found.length === 1) return found[0]!;
  throw new Error(`${place} has this ${found.length} times, not once: ${from.trim()}`);
}

/** The path of the test file in tests that ends so. Throws when there is none, or more. */
export function testFileOf(name: string): string {
  const found = globSync(`tests/**/${name}`, { cwd: ROOT });
  if (found.length === 1) return found[0]!;
  throw new Error(`tests has ${found.length} files ${name}`);
}
