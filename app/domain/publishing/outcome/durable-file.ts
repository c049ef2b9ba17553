import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';

/** Writes the content as JSON, atomically and flushed to the disk. Throws when it cannot, and keeps the old file. */
export function writeDurableFile(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.part`;
  try {
    writeFileSync(temporary, JSON.stringify(content), { mode: 0o600, flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns why no file can be written in the folder, or undefined when one can. */
export function whyFolderUnwritable(folder: string): string | undefined {
  const file = path.join(folder, `try-${process.pid}`);
  try {
    writeDurableFile(file, '');
    rmSync(file);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const NOT_FOUND = ['ENOENT', 'ENOTDIR'];

/** Returns the content, undefined when there is no file, or `unreadable` when it does not match `schema`. */
export function readDurableFile<T>(file: string, schema: z.ZodType<T>): T | 'unreadable' | undefined {
  try {
    const { data } = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return data ?? 'unreadable';
  } catch (error) {
    return NOT_FOUND.includes((error as NodeJS.ErrnoException).code!) ? undefined : 'unreadable';
  }
}
