/** Which page an address is of, so that what is counted has no more names than the product has pages. */

const OTHER_PAGE = 'other';
const MOST_KEPT = 1_000;

let patterns: string[][] = [];
const matched = new Map<string, string>();

const segmentsOf = (path: string) => path.split('/').filter(Boolean);
const ids = (segments: string[]) => segments.filter((segment) => segment.startsWith(':')).length;

/** Told once, as the process starts: every page by its path, with `:id` where a value belongs. */
export function registerPages(paths: string[]): void {
  // Where a word and an id fit alike, it is the word.
  patterns = paths.map(segmentsOf).sort((one, other) => ids(one) - ids(other));
  matched.clear();
}

const fits = (pattern: string[], segments: string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, at) => part.startsWith(':') || part === segments[at]);

export function pageOf(pathname: string): string {
  const kept = matched.get(pathname);
  if (kept !== undefined) return kept;
  const segments = segmentsOf(pathname);
  const found = patterns.find((pattern) => fits(pattern, segments));
  const page = found ? `/${found.join('/')}` : OTHER_PAGE;
  if (matched.size >= MOST_KEPT) matched.clear();
  matched.set(pathname, page);
  return page;
}
