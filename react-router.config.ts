import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '@react-router/dev/config';
import { usersListOf } from './app/http/users-list.ts';

type Listed = { module: string; imports: string[] };
type List = { url: string; entry: Listed; routes: Record<string, Listed> & { root: Listed } };

/** What the server does for every route, as scripts/router-answers.ts tells the browser. */
const NO_CLIENT = { hasClientAction: undefined, hasClientLoader: undefined, hasClientMiddleware: undefined };

/** Where no link or form of a page leads without fetching a whole document. */
const isOutside = (id: string) =>
  id.startsWith('routes/api/') ||
  /^routes\/landing\/(?!landing$)/.test(id) ||
  /^routes\/(?:health|service-ready|tell-metrics|take-csp-reports|posts\/export|account\/export-account|accounts\/social-callback|admin\/send-ledger|admin\/screenshot)$/.test(
    id,
  );

/** Where no link or form of a user's page leads: the desk of the admins, signing in, and what mails lead to. */
const isNoUsers = (id: string) =>
  /^routes\/(?:admin\/|visitor-layout$|posts\/(?:by-mail|decide)$|support\/thread-by-mail$|account\/(?:keep-account|stop-mails)$)/.test(
    id,
  ) ||
  /^routes\/accounts\/(?:login|signup|second-step|sign-in-with-passkey|verify-otp|verify-email|resend|forgot-password|reset-password|resend-reset)$/.test(
    id,
  );

/** What is not said of a route is not there. */
const withoutNothing = (
  route: Listed & { css?: string[]; hasAction?: boolean; hasErrorBoundary?: boolean },
) => ({
  ...route,
  css: route.css?.length ? route.css : undefined,
  hasAction: route.hasAction || undefined,
  hasErrorBoundary: route.hasErrorBoundary || undefined,
});

/** Each stands in the list under its id, so the id need not be told twice. */
const LIST = 'window.__reactRouterManifest.routes';
const NAME_ROUTES = `for(let id in ${LIST})${LIST}[id].id=id;`;

/** A route whose file has no markup does nothing in the browser. */
const isServers = ({ file }: { file: string }) => file.endsWith('.ts');

/**
 * The browser knows every route of a page from the start. Of a route it is not told what it has already, and routes
 * that do nothing there name the list itself, which is there by then: a browser that failed to fetch a module once, when
 * a button was pressed without a connection, would fail at that button until the page is loaded again.
 */
function shortenList(clientFolder: string, files: Record<string, { file: string }>) {
  const [file] = globSync(path.join(clientFolder, 'assets/manifest-*.js'));
  if (!file) throw new Error('The build has no manifest of its routes.');
  const text = readFileSync(file, 'utf8');
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const { routes, ...rest } = JSON.parse(json) as List;
  const isThere = new Set([rest.entry, routes.root].flatMap(({ module, imports }) => [module, ...imports]));
  const moduleOf = new Map<string, string>();
  const shared = (module: string) => {
    const content = readFileSync(path.join(clientFolder, module), 'utf8');
    if (!moduleOf.has(content)) moduleOf.set(content, module);
    return moduleOf.get(content)!;
  };
  const shortened = (url: string, [id, { id: _, ...route }]: [string, Listed & { id?: string }]) => {
    const imports = route.imports.filter((file) => !isThere.has(file)).sort();
    if (id === 'root') return [id, route];
    const told = { ...withoutNothing(route), ...NO_CLIENT };
    if (isServers(files[id]!)) return [id, { ...told, imports: [], module: url }];
    return [id, { ...told, imports, module: shared(route.module) }];
  };
  const write = (url: string, isIn: (id: string) => boolean) => {
    const pages = Object.entries(routes)
      .filter(([id]) => isIn(id))
      .map((each) => shortened(url, each));
    const list = JSON.stringify({ ...rest, url, routes: Object.fromEntries(pages) });
    writeFileSync(path.join(clientFolder, url), `${text.replace(json, () => list)}${NAME_ROUTES}`);
  };
  write(rest.url, (id) => !isOutside(id));
  write(usersListOf(rest.url), (id) => !isOutside(id) && !isNoUsers(id));
}

export default {
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => {
    shortenList(path.join(reactRouterConfig.buildDirectory, 'client'), reactRouterConfig.routes);
  },
  future: {
    v8_middleware: true,
    // What a page does in the browser comes with it: each part in a file of its own would be another request.
    v8_splitRouteModules: false,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
} satisfies Config;
