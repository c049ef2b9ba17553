/* Maps paths to the product's pages, so that there are not more counters than pages. */

const OTHER_PAGE = 'other';
const CACHE_MAX = 1_000;

let patterns: string[][] = [];
const cache = new Map<string, string>();

const segmentsOf = (path: string) => path.split('/').filter(Boolean);
const ids = (segments: string[]) => segments.filter((segment) => segment.startsWith(':')).length;

/** Called once when the process starts, with the path of every page; parameters are written as `:id`. */
export function registerPages(paths: string[]): void {
  // A literal segment has precedence over a parameter.
  patterns = paths.map(segmentsOf).sort((one, other) => ids(one) - ids(other));
  cache.clear();
}

const matches = (pattern: string[], segments: string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, at) => part.startsWith(':') || part === segments[at]);

export function pageOf(pathname: string): string {
  const cached = cache.get(pathname);
  if (cached !== undefined) return cached;
  const segments = segmentsOf(pathname);
  const found = patterns.find((pattern) => matches(pattern, segments));
  const page = found ? `/${found.join('/')}` : OTHER_PAGE;
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(pathname, page);
  return page;
}
