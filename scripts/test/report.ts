import { existsSync, readFileSync } from 'node:fs';

export type Failure = { name: string; error?: string | undefined };

/** `failures` is missing when the report does not name them. */
export type Count = { passed: number; failed: number; failures?: Failure[] };

const MOST = { lines: 6, characters: 300 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape codes of colours begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;

/** Without colours and empty lines. */
const plainLines = (text: string) =>
  text
    .replace(COLOURS, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean);

export const firstLines = (text: string): string =>
  plainLines(text).slice(0, MOST.lines).join('\n').slice(0, MOST.characters);

export const lastLines = (text: string): string =>
  plainLines(text).slice(-MOST.lines).join('\n').slice(-MOST.characters);

/** Returns the error message, of one or more lines, from the YAML block of a failed test. */
function errorIn(report: string): string | undefined {
  const block = /^( *)error: (?:\|-?\n((?:\1 +.*\n|\s*\n)+)|(.*)\n)/m.exec(report);
  const text = block?.[2] ?? block?.[3];
  return (
    text && firstLines(text.replace(new RegExp(`^${block![1]}  `, 'gm'), '').replace(/^(['"])(.*)\1$/, '$2'))
  );
}

/** A suite fails with its tests and is not counted. */
const isSuite = (report: string) => /^ *type: 'suite'$/m.test(report);

/** Reads the summary at the end of a TAP report of `node --test`: `# pass N`, `# fail N` … */
export function countTap(report: string): Count {
  const number = (name: string) => {
    const count = [...report.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1];
    if (count === undefined) throw new Error(`The report of node --test does not say "# ${name} N".`);
    return Number(count);
  };
  const failures = [...report.matchAll(/^ *not ok \d+ - (.*)\n( *)---\n([\s\S]*?)^\2\.\.\.$/gm)]
    .filter(([, , , details]) => !isSuite(details!))
    .map(([, name, , details]) => ({ name: name!, error: errorIn(details!) }));
  return { passed: number('pass'), failed: number('fail') + number('cancelled'), failures };
}

type PlaywrightError = { message?: string };
type Spec = { title: string; ok: boolean; tests: { results: { errors: PlaywrightError[] }[] }[] };
type Suite = { file: string; specs?: Spec[]; suites?: Suite[] };

const errorOf = ({ message }: PlaywrightError = {}) => message && firstLines(message);

const failedIn = ({ file, specs = [], suites = [] }: Suite): Failure[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
      return { name: `${file}: ${title}`, error: errorOf(error) };
    }),
  ...suites.flatMap(failedIn),
];

/** Reads Playwright's JSON report. An error outside of the tests, as in the set-up, counts as one failure. */
export function countPlaywright(report: string): Count {
  const { stats, errors, suites } = JSON.parse(report) as {
    stats: { expected: number; unexpected: number; flaky: number };
    errors: PlaywrightError[];
    suites: Suite[];
  };
  const failed = stats.unexpected + stats.flaky + errors.length;
  const outside = errors.map((error) => ({ name: 'Playwright, outside of any test', error: errorOf(error) }));
  return { passed: stats.expected, failed, failures: [...outside, ...suites.flatMap(failedIn)] };
}

/** A missing or unreadable report counts as one failure. */
export function countFile(file: string, count: (report: string) => Count): Count {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  try {
    return count(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  }
}
