import { existsSync, readFileSync } from 'node:fs';

/** What failed, and what is said of it. */
export type Failure = { name: string; error?: string | undefined };

/** What a runner counted, and what failed where its report tells that. */
export type Count = { passed: number; failed: number; failures?: Failure[] };

const MOST = { lines: 6, characters: 300 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colours begin with one.
const COLOURS = /\u001b\[[\d;]*m/g;

/** The beginning of an error, without colours and empty lines. */
export function beginningOf(error: string): string {
  const lines = error.replace(COLOURS, '').split('\n');
  const said = lines.map((line) => line.trimEnd()).filter(Boolean);
  return said.slice(0, MOST.lines).join('\n').slice(0, MOST.characters);
}

/** What stands at the end of an output: only that is kept where the tests run for a landing. */
export const endingOf = (output: string): string => {
  const lines = output.replace(COLOURS, '').split('\n');
  const said = lines.map((line) => line.trimEnd()).filter(Boolean);
  return said.slice(-MOST.lines).join('\n').slice(-MOST.characters);
};

/** What a report of a failed test says of its error: the message, over as many lines as it has. */
function errorIn(report: string): string | undefined {
  const block = /^( *)error: (?:\|-?\n((?:\1 +.*\n|\s*\n)+)|(.*)\n)/m.exec(report);
  const text = block?.[2] ?? block?.[3];
  return (
    text && beginningOf(text.replace(new RegExp(`^${block![1]}  `, 'gm'), '').replace(/^(['"])(.*)\1$/, '$2'))
  );
}

/** What a test stands in fails with it, and is not counted. */
const isSuite = (report: string) => /^ *type: 'suite'$/m.test(report);

/** Reads the summary at the end of a TAP report of `node --test`: `# pass N`, `# fail N` … */
export function countTap(report: string): Count {
  const number = (name: string) => {
    const found = [...report.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1];
    if (found === undefined) throw new Error(`The report of node --test does not say "# ${name} N".`);
    return Number(found);
  };
  const failures = [...report.matchAll(/^ *not ok \d+ - (.*)\n( *)---\n([\s\S]*?)^\2\.\.\.$/gm)]
    .filter(([, , , details]) => !isSuite(details!))
    .map(([, name, , details]) => ({ name: name!, error: errorIn(details!) }));
  return { passed: number('pass'), failed: number('fail') + number('cancelled'), failures };
}

type Told = { message?: string };
type Spec = { title: string; ok: boolean; tests: { results: { errors: Told[] }[] }[] };
type Suite = { file: string; specs?: Spec[]; suites?: Suite[] };

const errorOf = ({ message }: Told = {}) => message && beginningOf(message);

const failedIn = ({ file, specs = [], suites = [] }: Suite): Failure[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
      return { name: `${file}: ${title}`, error: errorOf(error) };
    }),
  ...suites.flatMap(failedIn),
];

/** Reads Playwright's JSON report. A failure before the first test, as in the set-up, counts as one. */
export function countPlaywright(report: string): Count {
  const { stats, errors, suites } = JSON.parse(report) as {
    stats: { expected: number; unexpected: number; flaky: number };
    errors: Told[];
    suites: Suite[];
  };
  const failed = stats.unexpected + stats.flaky + errors.length;
  const outside = errors.map((error) => ({ name: 'Playwright, outside of any test', error: errorOf(error) }));
  return { passed: stats.expected, failed, failures: [...outside, ...suites.flatMap(failedIn)] };
}

/** The count of a report file; one failure when the runner died without writing it. */
export function countFile(file: string, count: (report: string) => Count): Count {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  try {
    return count(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  }
}
