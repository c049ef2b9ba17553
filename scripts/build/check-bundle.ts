/**
 * Fails the build when the first load of a page exceeds goal G4 (bench/RESULTS.md). The size of a page is the sum of the
 * files that the build manifest lists for it.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { FIRST_LOAD_MOST } from './first-load.ts';
import { ROOT } from '#scripts/run.ts';

/** For pages with `isStatic` in their handle: the root layout does not load React for them. */
const MOST_STATIC = { scripts: 6, files: 2, styles: 14 };
/** Style sheets of which a page links only the one for its current view. */
const VIEW_SHEETS = /\/assets\/(?:rows|calendar)-/;

const filesOf = (entries: RouteConfigEntry[]): [id: string, file: string][] =>
  entries.flatMap(({ id, file, children = [] }) => [[id!, file], ...filesOf(children)]);
const FILES_BY_ID = new Map(filesOf(routes));

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

const sourceOf = (id: string) => readFileSync(path.join(ROOT, 'app', FILES_BY_ID.get(id) ?? `${id}.tsx`), 'utf8');
const isStatic = ({ id }: Route) => sourceOf(id).includes('handle = { isStatic: true }');

/** The manifest lists no style sheets and no scripts of static pages: their URLs are in the pages' modules. */
const assetsIn = (modules: string[], ending: string) =>
  modules.flatMap((module) => textOf(module).match(new RegExp(`/assets/[\\w-]+\\.${ending}\\b`, 'g')) ?? []);

/** Counts of all sheets of views only the largest. */
function stylesOf(modules: string[], isSite: boolean): number {
  const sheets = new Set(
    assetsIn(modules, 'css').filter((sheet) => !sheet.startsWith(isSite ? '/assets/app-' : '/assets/site-')),
  );
  const views = [...sheets].filter((sheet) => VIEW_SHEETS.test(sheet));
  const always = [...sheets].filter((sheet) => !views.includes(sheet));
  return gzipped(always) + Math.max(0, ...views.map((view) => gzipped([view])));
}

function check(page: Route, manifest: Manifest): boolean {
  const chain = chainOf(page, manifest);
  const modules = [
    ...new Set([manifest.entry, ...chain].flatMap(({ module, imports = [] }) => [module, ...imports])),
  ];
  const limits = isStatic(page) ? MOST_STATIC : FIRST_LOAD_MOST;
  const scripts = isStatic(page) ? assetsIn([page.module], 'js') : modules;
  const styles = stylesOf(modules, isStatic(page));
  const kilobytes = gzipped(scripts);
  const isSmall = kilobytes <= limits.scripts && scripts.length <= limits.files && styles <= limits.styles;
  const url = `/${chain.flatMap((route) => route.path || []).join('/')}`;
  console.log(
    `${isSmall ? '✔' : '✖'} ${url.padEnd(28)} ${kilobytes.toFixed(1)} of ${limits.scripts} KB ` +
      `in ${scripts.length} of ${limits.files} scripts, styles ${styles.toFixed(1)} of ${limits.styles} KB`,
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
