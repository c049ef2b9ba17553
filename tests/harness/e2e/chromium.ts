import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { ROOT } from '#scripts/run.ts';

const PACKAGE = path.join(ROOT, 'node_modules/@sparticuz/chromium');
/** The package unpacks into the temp folder of the process, and only what it thinks this machine lacks. */
const UNPACK = `
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
`;

export type Browser = { executablePath: string; env: Record<string, string> };

export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
];

/** What a person's browser would say. Playwright's own name makes servers answer as they do to robots. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

/**
 * The first Chromium that starts: `$CHROMIUM_PATH`, the one npm installed (linux x64), /usr/bin/chromium,
 * Playwright's own. Throws a sentence when there is none.
 */
export function findBrowser(): Browser {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    const why = refusal({ executablePath: named, env: {} });
    if (why) throw new Error(`The browser of CHROMIUM_PATH does not start: ${why}`);
    return { executablePath: named, env: {} };
  }
  const reasons: string[] = [];
  for (const candidate of [fromNpm, fromNpmWithItsLibraries, fromSystem, fromPlaywright]) {
    const browser = candidate();
    if (!browser) continue;
    const why = refusal(browser);
    if (!why) return browser;
    reasons.push(`${browser.executablePath}: ${why}`);
  }
  throw new Error(
    [
      'No Chromium could be started for the browser tests. Set CHROMIUM_PATH to one, or run:',
      'npx playwright install --with-deps chromium',
      ...reasons,
    ].join('\n'),
  );
}

function fromNpm(): Browser | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(PACKAGE)) return undefined;
  const folder = unpacked();
  const env = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') };
  return { executablePath: path.join(folder, 'chromium'), env: env as Record<string, string> };
}

/** For a bare machine without NSS and Expat: the package brings those of Amazon Linux 2023. */
function fromNpmWithItsLibraries(): Browser | undefined {
  const browser = fromNpm();
  if (!browser) return undefined;
  const libraries = path.join(path.dirname(browser.executablePath), 'al2023/lib');
  return { ...browser, env: { ...browser.env, LD_LIBRARY_PATH: libraries } };
}

function fromSystem(): Browser | undefined {
  const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = paths.find((file) => existsSync(file));
  return executablePath ? { executablePath, env: {} } : undefined;
}

function fromPlaywright(): Browser | undefined {
  const executablePath = chromium.executablePath();
  return existsSync(executablePath) ? { executablePath, env: {} } : undefined;
}

/** Unpacked once per version, into a folder that appears whole. */
function unpacked(): string {
  const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
  const folder = path.join(ROOT, 'node_modules/.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  const half = mkdtempSync(`${folder}-`);
  const made = spawnSync(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: half },
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`The Chromium of npm could not be unpacked.\n${made.stderr}`);
  const fonts = [path.join(folder, 'fonts/fonts'), '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`);
  const cache = `<cachedir>${path.join(folder, 'fonts-cache')}</cachedir>`;
  writeFileSync(path.join(half, 'fonts.conf'), `<fontconfig>${fonts.join('')}${cache}</fontconfig>\n`);
  try {
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Why a browser cannot run here, which is mostly a missing system library; undefined when it can. */
function refusal({ executablePath, env }: Browser): string | undefined {
  const { status, stderr, error } = spawnSync(executablePath, ['--version'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  if (status === 0) return undefined;
  return error?.message ?? (stderr.trim().split('\n')[0] || `exit code ${status}`);
}
