import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { usersListOf } from '#app/http/users-list.ts';
import { ROOT } from '#scripts/run.ts';

/** Kilobytes (1000 bytes) of gzip, and requests, that the first load of a page may cost. */
type Caps = { scripts: number; requests: number };
const CAPS: Record<string, Caps> = {
  '/': { scripts: 3, requests: 7 },
  '/app/dashboard': { scripts: 119, requests: 10 },
};
const OTHER_CAPS: Caps = { scripts: 150, requests: 14 };
const STYLE_CAP = 12;
/** A page of several views links the sheet of the one that it shows. */
const VIEWS = /\/assets\/(?:lines|calendar)-/;

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
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  for (const [id, route] of Object.entries(manifest.routes)) route.id = id;
  return manifest;
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

/** A page is a route that shows something and is nobody's layout; what does nothing in a browser names the list itself. */
function pages({ url, routes }: Manifest): Route[] {
  const layouts = new Set(Object.values(routes).map((route) => route.parentId));
  const shows = ({ id, module, hasDefaultExport }: Route) =>
    hasDefaultExport && module !== url && !layouts.has(id);
  return Object.values(routes).filter(shows);
}

/** A page whose handle says `isStatic` is sent without scripts: see the root layout. */
const isStatic = ({ id }: Route) =>
  globSync(`app/${id}.tsx`, { cwd: ROOT }).some((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes('handle = { isStatic: true }'),
  );

const textOf = (module: string) => readFileSync(path.join(CLIENT, module), 'utf8');

/** Style sheets and fonts stand in the modules of their pages by their addresses. */
const linksOf = (module: string) => textOf(module).match(/\/assets\/[\w-]+\.(?:css|woff2)/g) ?? [];

const isSheet = (link: string) => link.endsWith('.css');

/** Of a page without the framework: the modules that it names by their addresses. */
const ownScriptsOf = (module: string) => textOf(module).match(/\/assets\/[\w-]+\.js/g) ?? [];

/** The sheets of each part that a module fetches when it is shown. */
const laterSheetsOf = (module: string): string[][] =>
  [...textOf(module).matchAll(/import\(\W?\.\/([\w-]+\.js)/g)]
    .map(([, name]) => linksOf(`/assets/${name}`).filter(isSheet))
    .filter((sheets) => sheets.length > 0);

type Files = { scripts: Set<string>; styles: Set<string>; fonts: Set<string>; later: string[][] };

/** The files of a page's first load, each once, and the sheets of what it may come to show. */
function filesOf(page: Route, { url, entry, routes }: Manifest): Files {
  const parts = [entry, ...chainOf(page, routes)];
  const list = page.id.startsWith('routes/admin/') ? url : usersListOf(url);
  const others = isStatic(page) ? '/assets/app-' : '/assets/site-';
  const modules = [...new Set(parts.flatMap(({ module, imports = [] }) => [module, ...imports]))];
  const links = modules.flatMap(linksOf).filter((link) => !link.startsWith(others));
  const styles = [...parts.flatMap(({ css = [] }) => css), ...links.filter(isSheet)];
  return {
    scripts: new Set(isStatic(page) ? ownScriptsOf(page.module) : [list, ...modules]),
    styles: new Set(styles),
    fonts: new Set(links.filter((link) => link.endsWith('.woff2'))),
    later: modules.flatMap(laterSheetsOf),
  };
}

/** The first loads of a page: one for each of its views. */
function viewsOf(files: Files): Files[] {
  const own = [...files.styles].filter((sheet) => VIEWS.test(sheet));
  if (own.length === 0) return [files];
  return own.map((view) => ({
    ...files,
    styles: new Set([...files.styles].filter((sheet) => sheet === view || !own.includes(sheet))),
  }));
}

/** The styles of a page once the part of it is open that brings the most of them; they are told, and have no cap. */
const stylesOnceOpen = ({ styles, later }: Files) =>
  Math.max(...[[], ...later].map((sheets) => gzipped(new Set([...styles, ...sheets]))));

function check(manifest: Manifest): boolean[] {
  const loads = pages(manifest).flatMap((page) =>
    viewsOf(filesOf(page, manifest)).map((files) => ({ page, files })),
  );
  return loads.map(({ page, files }) => {
    const address = `/${chainOf(page, manifest.routes)
      .flatMap((route) => route.path || [])
      .join('/')}`;
    const caps = CAPS[address] ?? OTHER_CAPS;
    const scripts = gzipped(files.scripts);
    const styles = gzipped(files.styles);
    const onceOpen = stylesOnceOpen(files);
    const requests = 1 + files.scripts.size + files.styles.size + files.fonts.size;
    const isSmall = scripts <= caps.scripts && styles <= STYLE_CAP && requests <= caps.requests;
    console.log(
      `${isSmall ? '✔' : '✖'} ${address.padEnd(24)} scripts ${scripts.toFixed(1)} of ${caps.scripts} KB, ` +
        `styles ${styles.toFixed(1)} of ${STYLE_CAP} KB, ${requests} of ${caps.requests} requests` +
        (onceOpen > styles ? `, styles ${onceOpen.toFixed(1)} KB with all that opens` : ''),
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
