/**
 * Fails the build when the first load of a page exceeds goal G4 (bench/RESULTS.md). For each page it adds up the
 * files that the build manifest lists.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { FIRST_LOAD_MOST } from './first-load.ts';
import { ROOT } from '#scripts/run.ts';

/** A page whose handle says `isStatic` loads no React: see the root layout. */
const MOST_STATIC = { scripts: 6, files: 2, styles: 14 };
/** A page of several views links the sheet of the one that it shows. */
const VIEWS = /\/assets\/(?:rows|calendar)-/;

const filesOf = (entries: RouteConfigEntry[]): [id: string, file: string][] =>
  entries.flatMap(({ id, file, children = [] }) => [[id!, file], ...filesOf(children)]);
/** The file of each route, by its id. */
const FILES = new Map(filesOf(routes));

type Route = { id: string; parentId?: string; path?: string; module: string; imports?: string[] };
type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, Route> };

const CLIENT = path.join(ROOT, 'build/client');
const textOf = (file: string) => readFileSync(path.join(CLIENT, file), 'utf8');

function readManifest(): Manifest {
  const [file] = globSync('assets/manifest-*.js', { cwd: CLIENT });
  if (!file) throw new Error('There is no build to check. Run npm run build.');
  const text = textOf(file);
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

const chainOf = (route: Route, { routes }: Manifest): Route[] =>
  route.parentId ? [...chainOf(routes[route.parentId]!, { routes } as Manifest), route] : [route];

const gzipped = (files: Iterable<string>) =>
  [...new Set(files)].reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0) / 1000;

/** The routes whose file exports a component and that are not layouts of others. */
function pagesOf({ routes }: Manifest): Route[] {
  const layouts = new Set(Object.values(routes).map(({ parentId }) => parentId));
  const isPage = ({ id }: Route) => !layouts.has(id) && /export default/.test(sourceOf(id));
  return Object.values(routes).filter(isPage);
}

const sourceOf = (id: string) => readFileSync(path.join(ROOT, 'app', FILES.get(id) ?? `${id}.tsx`), 'utf8');
const isStatic = ({ id }: Route) => sourceOf(id).includes('handle = { isStatic: true }');

/** Style sheets, and the script of a static page, appear as URLs in the modules of their pages. */
const namedIn = (modules: string[], ending: string) =>
  modules.flatMap((module) => textOf(module).match(new RegExp(`/assets/[\\w-]+\\.${ending}\\b`, 'g')) ?? []);

/** The size of the style sheets. A page with several views loads the sheet of one view, so the largest counts. */
function stylesOf(modules: string[], isSite: boolean): number {
  const sheets = new Set(
    namedIn(modules, 'css').filter((sheet) => !sheet.startsWith(isSite ? '/assets/app-' : '/assets/site-')),
  );
  const views = [...sheets].filter((sheet) => VIEWS.test(sheet));
  const always = [...sheets].filter((sheet) => !views.includes(sheet));
  return gzipped(always) + Math.max(0, ...views.map((view) => gzipped([view])));
}

function check(page: Route, manifest: Manifest): boolean {
  const chain = chainOf(page, manifest);
  const modules = [
    ...new Set([manifest.entry, ...chain].flatMap(({ module, imports = [] }) => [module, ...imports])),
  ];
  const most = isStatic(page) ? MOST_STATIC : FIRST_LOAD_MOST;
  const scripts = isStatic(page) ? namedIn([page.module], 'js') : modules;
  const styles = stylesOf(modules, isStatic(page));
  const kilobytes = gzipped(scripts);
  const isSmall = kilobytes <= most.scripts && scripts.length <= most.files && styles <= most.styles;
  const address = `/${chain.flatMap((route) => route.path || []).join('/')}`;
  console.log(
    `${isSmall ? '✔' : '✖'} ${address.padEnd(28)} ${kilobytes.toFixed(1)} of ${most.scripts} KB ` +
      `in ${scripts.length} of ${most.files} scripts, styles ${styles.toFixed(1)} of ${most.styles} KB`,
  );
  return isSmall;
}

try {
  const manifest = readManifest();
  const results = pagesOf(manifest).map((page) => check(page, manifest));
  if (!results.length) throw new Error('The build has no pages to check.');
  if (results.includes(false)) throw new Error('A page loads more than it may (gzip).');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
