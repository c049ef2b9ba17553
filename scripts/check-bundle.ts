import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '#scripts/run.ts';

/** Kilobytes (1000 bytes) of gzip, and requests, that the first load of a page may cost. */
type Caps = { scripts: number; requests: number };
const CAPS: Record<string, Caps> = {
  '/': { scripts: 0, requests: 6 },
  '/app/dashboard': { scripts: 118, requests: 10 },
};
const OTHER_CAPS: Caps = { scripts: 150, requests: 14 };
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
type Manifest = { url: string; entry: Omit<Route, 'id'>; routes: Record<string, Route> };

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

function gzipped(files: Set<string>): number {
  let bytes = 0;
  for (const file of files) {
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

/** Style sheets and fonts that a route names stand in its module by their addresses. */
const linksOf = ({ module }: Pick<Route, 'module'>) =>
  readFileSync(path.join(CLIENT, module), 'utf8').match(/\/assets\/[\w-]+\.(?:css|woff2)/g) ?? [];

/** The files of a page's first load, each once; what its scripts ask for later is not among them. */
function filesOf(page: Route, { url, entry, routes }: Manifest) {
  const parts = [entry, ...chainOf(page, routes)];
  const others = isStatic(page) ? '/assets/app-' : '/assets/site-';
  const links = parts.flatMap(linksOf).filter((link) => !link.startsWith(others));
  const modules = [url, ...parts.flatMap(({ module, imports = [] }) => [module, ...imports])];
  const styles = [...parts.flatMap(({ css = [] }) => css), ...links.filter((link) => link.endsWith('.css'))];
  return {
    scripts: new Set(isStatic(page) ? [] : modules),
    styles: new Set(styles),
    fonts: new Set(links.filter((link) => link.endsWith('.woff2'))),
  };
}

function check(manifest: Manifest): boolean[] {
  return pages(manifest).map((page) => {
    const address = `/${chainOf(page, manifest.routes)
      .flatMap((route) => route.path || [])
      .join('/')}`;
    const files = filesOf(page, manifest);
    const caps = CAPS[address] ?? OTHER_CAPS;
    const scripts = gzipped(files.scripts);
    const styles = gzipped(files.styles);
    const requests = 1 + files.scripts.size + files.styles.size + files.fonts.size;
    const isSmall = scripts <= caps.scripts && styles <= STYLE_CAP && requests <= caps.requests;
    console.log(
      `${isSmall ? '✔' : '✖'} ${address.padEnd(24)} scripts ${scripts.toFixed(1)} of ${caps.scripts} KB, ` +
        `styles ${styles.toFixed(1)} of ${STYLE_CAP} KB, ${requests} of ${caps.requests} requests`,
    );
    return isSmall;
  });
}

try {
  const results = check(readManifest());
  if (!results.length) throw new Error('The build has no pages to check.');
  if (results.includes(false)) throw new Error('A page costs more than its caps (gzip).');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
