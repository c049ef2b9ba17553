import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';

function pathsBelow(entries: RouteConfigEntry[], above: string): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path ? `${above}/${path}` : above;
    if (children) return pathsBelow(children, here);
    return path || index ? [here || '/'] : [];
  });
}

/** Every address of the product, with `:name` where a value belongs. */
const ALL = pathsBelow(routes, '');

/** The calls below /api/v1, without that prefix and without the one for everything else. */
export const API_PATHS = ALL.filter((path) => path.startsWith('/api/v1/') && !path.endsWith('*')).map(
  (path) => path.slice('/api/v1'.length),
);

/** The addresses of pages and of the forms on them. */
export const PAGE_PATHS = ALL.filter(
  (path) => !path.startsWith('/api/') && path !== '/health' && !path.endsWith('*'),
);
