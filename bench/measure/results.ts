/** Writes RESULTS.md: the latest figures of each measurement with their date, commit and machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { ROOT } from '#scripts/run.ts';
import type { FigureLine } from './figures.ts';

const FILE = path.join(ROOT, 'bench/RESULTS.md');
const HEAD = `# Performance results

Measured by \`npm run bench -- --keep\`, or by one part of it (\`npm run bench -- gates --keep\`). Each part says when, at which
commit and on which machine. Do not compare figures of two machines, or of a machine that did other work.

| goal | what | measured by |
|---|---|---|
| G1 | landing and login at least 0.5 of the bare React Router page by CPU | pages |
| G2 | dashboard at most 5 times the CPU of the bare page of as many bytes; p99 at 50 requests a second at most 50 ms, Postgres at most a quarter of a core meanwhile; one user with 100,000 posts at most 1.5 times the p99 of 1,000 users with 100 | dashboard |
| G3 | month of 150 posts at most 8 times the CPU of the raw query; JSON list of 50 at least 0.3 of raw node and pg | month, api |
| G4 | gzip: a signed-in page at most 155 KB of scripts in at most 16 requests, styles 14 KB; landing 6 KB of its own scripts, no React | bytes, and the build |
| G5 | at 4x CPU, 150 ms, 1.6 Mbit/s: landing shown in 1.0 s, dashboard in 1.2 s, blocked at most 200 ms, layout shift less than 0.02 | lighthouse, felt |
| G6 | response to touch and keys p98 at most 120 ms at 4x CPU with 150 posts | felt |
| G7 | publishing with an instant network: at least 1,000 posts a second for each worker | publications |
| G8 | 1,000,000 scheduled, 20,000 due in one second: p99 of the start within 20 s with one worker killed: 0 double, 0 lost | crowd |
| G9 | tick with 1,000,000 waiting posts: idle p99 at most 5 ms, claim of 500 at most 10 ms, also beside an open snapshot | tick |
| G10 | a day of 1,000 users in 512 MB and one core, with Postgres; at rest 1% of a core each | memory, rest |
| G11 | second start 10 s, first 60 s with an empty npm cache, build 15 s | start |
| G12 | \`npm test\` at most 5 minutes, \`npm run test:all\` at most 20 | the commands themselves |
`;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

function describeRun(): string {
  const changes = git('status', '--porcelain', '--', ':/', ':(top,exclude)bench/RESULTS.md');
  const commit = git('rev-parse', '--short', 'HEAD') + (changes ? ' with changes' : '');
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ${memory}`;
  return `${new Date().toISOString().slice(0, 10)}, ${commit}, Node ${process.versions.node}, ${machine}.`;
}

const cell = (text: string) => text.trim().replaceAll('|', '\\|');
const rowOf = (line: FigureLine) =>
  'title' in line
    ? `\n${line.title}\n\n| | measured | beside |\n|---|---|---|`
    : `| ${cell(line.name)} | ${cell(line.value)} | ${cell(line.beside)} |`;

/** Replaces the figures of one measurement. */
function savePart(name: string, options: string[], lines: FigureLine[]): void {
  const previous = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const parts = previous.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  const byName = new Map(parts.map((part) => [/^## (\S+)/.exec(part)![1]!, part.trim()]));
  const title = `## ${[name, ...options].join(' ')}`;
  byName.set(name, [title, '', describeRun(), ...lines.map(rowOf)].join('\n'));
  const all = [...byName].toSorted(([a], [b]) => a.localeCompare(b)).map(([, part]) => part);
  writeFileSync(FILE, `${[HEAD.trim(), ...all].join('\n\n')}\n`);
}

/** Runs a measurement with FIGURES_FILE, and saves its figures when it succeeded. */
export function saveFigures(
  name: string,
  options: string[],
  run: (env: NodeJS.ProcessEnv) => boolean,
): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-figures-'));
  const file = path.join(folder, 'figures');
  const isDone = run({ ...process.env, FIGURES_FILE: file });
  if (isDone && existsSync(file)) {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    savePart(
      name,
      options,
      lines.map((line) => JSON.parse(line) as FigureLine),
    );
  }
  rmSync(folder, { recursive: true });
  return isDone;
}
