/** RESULTS.md: the figures of every measurement as they were taken last, each with its commit. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import type { Kept } from './figures.ts';

const FILE = path.join(import.meta.dirname, 'RESULTS.md');
const HEAD = `# What was measured

By \`npm run bench -- --keep\`, or with names by some of it: each part says when, at which commit and on which machine. Goals stand
beside their figures. Figures of two machines, or of one that did other work besides, are not to be compared.
`;

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();

function whenAndWhere(): string {
  const changes = git('status', '--porcelain', '--', ':/', ':(top,exclude)bench/RESULTS.md');
  const commit = git('rev-parse', '--short', 'HEAD') + (changes ? ' with changes' : '');
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ${memory}`;
  return `${new Date().toISOString().slice(0, 10)}, ${commit}, Node ${process.versions.node}, ${machine}.`;
}

const cell = (text: string) => text.trim().replaceAll('|', '\\|');
const rowOf = (line: Kept) =>
  'title' in line
    ? `\n${line.title}\n\n| | measured | beside |\n|---|---|---|`
    : `| ${cell(line.name)} | ${cell(line.value)} | ${cell(line.beside)} |`;

/** Puts the figures of one measurement in the place of those that stood there. */
function keepPart(name: string, options: string[], lines: Kept[]): void {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const parts = before.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  const byName = new Map(parts.map((part) => [/^## (\S+)/.exec(part)![1]!, part.trim()]));
  const title = `## ${[name, ...options].join(' ')}`;
  byName.set(name, [title, '', whenAndWhere(), ...lines.map(rowOf)].join('\n'));
  const all = [...byName].toSorted(([a], [b]) => a.localeCompare(b)).map(([, part]) => part);
  writeFileSync(FILE, `${[HEAD.trim(), ...all].join('\n\n')}\n`);
}

/** Runs a measurement in an environment in which it writes its figures down, and keeps them when it has ended well. */
export function keepFigures(
  name: string,
  options: string[],
  run: (env: NodeJS.ProcessEnv) => boolean,
): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-figures-'));
  const file = path.join(folder, 'figures');
  const isDone = run({ ...process.env, FIGURES_FILE: file });
  if (isDone && existsSync(file)) {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    keepPart(
      name,
      options,
      lines.map((line) => JSON.parse(line) as Kept),
    );
  }
  rmSync(folder, { recursive: true });
  return isDone;
}
