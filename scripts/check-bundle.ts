import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '#scripts/run.ts';

/** Kilobytes (1000 bytes) of gzip that the first load of a page may cost. */
const SCRIPT_CAPS: Record<string, number> = { '/': 115, '/app/dashboard': 125 };
const OTHER_SCRIPT_CAP = 150;
const STYLE_CAP = 12;

type Route = {
  id: string;
  parentId?: string;
  path?: string;
  hasDefaultExport: boolean;
  module: string;
  imports?: string[];
  css?: string[];
};
type Manifest = { entry: Omit<Route, 'id'>; routes: Record<string, Route> };

const CLIENT = path.join(ROOT, 'build/client');

function readManifest(): Manifest {
  const [file] = globSync('assets/manifest-*.js', { cwd: CLIENT });
  if (!file) throw new Error('There is no build to check. Run npm run build.');
  const text = readFileSync(path.join(CLIENT, file), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

function chainOf(route: Route, routes: Record<string, Route>): Route[] {
  const parent = route.parentId ? routes[route.parentId] : undefined;
  return parent ? [...chainOf(parent, routes), route] : [route];
}

const sizes = new Map<string, number>();

function gzipped(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of new Set(files)) {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(CLIENT, file))).length);
    bytes += sizes.get(file)!;
  }
  return bytes / 1000;
}

/** A page is a route that shows something and is nobody's layout. */
function pages({ routes }: Manifest): Route[] {
  const layouts = new Set(Object.values(routes).map((route) => route.parentId));
  return Object.values(routes).filter((route) => route.hasDefaultExport && !layouts.has(route.id));
}

/** A page whose handle says `isStatic` is sent without scripts: see the root layout. */
const isStatic = ({ id }: Route) =>
  globSync(`app/${id}.tsx`, { cwd: ROOT }).some((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes('handle = { isStatic: true }'),
  );

function check(manifest: Manifest): boolean[] {
  return pages(manifest).map((page) => {
    const chain = chainOf(page, manifest.routes);
    const address = `/${chain.flatMap((route) => route.path || []).join('/')}`;
    const parts = [manifest.entry, ...chain];
    const modules = parts.flatMap(({ module, imports = [] }) => [module, ...imports]);
    const scripts = gzipped(isStatic(page) ? [] : modules);
    const styles = gzipped(parts.flatMap(({ css = [] }) => css));
    const cap = SCRIPT_CAPS[address] ?? OTHER_SCRIPT_CAP;
    const isSmall = scripts <= cap && styles <= STYLE_CAP;
    const figures = `scripts ${scripts.toFixed(1)} of ${cap} KB, styles ${styles.toFixed(1)} of ${STYLE_CAP} KB`;
    console.log(`${isSmall ? '✔' : '✖'} ${address.padEnd(28)} ${figures}`);
    return isSmall;
  });
}

try {
  const results = check(readManifest());
  if (!results.length) throw new Error('The build has no pages to check.');
  if (results.includes(false)) throw new Error('A page costs more than its cap (gzip).');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
