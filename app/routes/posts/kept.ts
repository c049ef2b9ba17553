import { isId } from '#app/domain/paging.ts';

/** Forms that open at a post of a list: `?NAME=ID`. */
export const OPEN_FORMS = ['edit', 'acknowledge'] as const;
export type OpenForm = (typeof OPEN_FORMS)[number];

/** Posts that were just sent stay in their place of a list, whatever became of them: `?watch=ID,ID`. */
const MOST_WATCHED = 8;

export const watchedOf = (query: URLSearchParams): string[] =>
  (query.get('watch') ?? '').split(',').filter(isId).slice(-MOST_WATCHED);

/** The parameters that stay while dialogs of a list open and close. */
export function keptOf(query: URLSearchParams, watched = watchedOf(query)): string {
  const kept = ['status', 'cursor'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  const search = new URLSearchParams(kept).toString();
  const watch = watched.length > 0 ? `watch=${watched.join(',')}` : '';
  return [search, watch].filter(Boolean).join('&');
}

/** The address of a list on which a post stays in its place. */
export function watching(list: string, postId: string): string {
  const { pathname, searchParams, hash } = new URL(list, 'http://list');
  const watched = watchedOf(searchParams).filter((id) => id !== postId);
  return `${pathname}?${keptOf(searchParams, [...watched, postId].slice(-MOST_WATCHED))}${hash}`;
}
