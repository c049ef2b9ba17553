import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';

/** Puts it into the file and to the disk, whole. Throws when it can't, and leaves what was there. */
export function writeWhole(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}.part`;
  try {
    writeFileSync(beside, JSON.stringify(content), { mode: 0o600, flush: true });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Why nothing can be written in the folder; undefined where it can. */
export function objectionToFolder(folder: string): string | undefined {
  const file = path.join(folder, `try-${process.pid}`);
  try {
    writeWhole(file, '');
    rmSync(file);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const NONE = ['ENOENT', 'ENOTDIR'];

/** What lies in the file: undefined when there is none, `unreadable` when it is not what `schema` says. */
export function readWhole<T>(file: string, schema: z.ZodType<T>): T | 'unreadable' | undefined {
  try {
    const { data } = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return data ?? 'unreadable';
  } catch (error) {
    return NONE.includes((error as NodeJS.ErrnoException).code!) ? undefined : 'unreadable';
  }
}
