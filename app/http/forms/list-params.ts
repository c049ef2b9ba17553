import { CURSOR_MAX_LENGTH, isId } from '#app/domain/platform/paging.ts';
import { POST_LISTS } from '#app/domain/posts/limits.ts';

/** Posts that were just published keep their position in a list, whatever their status: `?watch=ID,ID`. */
const WATCHED_MAX = 8;

export const watchedOf = (query: URLSearchParams): string[] =>
  (query.get('watch') ?? '').split(',').slice(-WATCHED_MAX).filter(isId);

/** The parameters that every link of a list carries over, each with a check of its value. */
const LIST_PARAMS: Record<string, (value: string) => boolean> = {
  status: (value) => POST_LISTS.some((list) => list === value),
  cursor: (value) => value !== '' && value.length <= CURSOR_MAX_LENGTH,
  view: (value) => value === 'month' || value === 'week',
  month: (value) => /^\d{4}-\d\d$/.test(value),
  week: (value) => /^\d{4}-W\d\d$/.test(value),
};

/** The query of a list without the parameters of its dialogs. */
export function listParamsOf(query: URLSearchParams, watched = watchedOf(query)): string {
  const params = Object.entries(LIST_PARAMS).flatMap(([name, isValid]) => {
    const value = query.get(name);
    return value !== null && isValid(value) ? [[name, value]] : [];
  });
  const search = new URLSearchParams(params).toString();
  const watch = watched.length > 0 ? `watch=${watched.join(',')}` : '';
  return [search, watch].filter(Boolean).join('&');
}

/** The same list at its last watched post. `turn` alternates: browsers do not reload an unchanged URL with a fragment. */
export function refreshUrlOf(query: URLSearchParams): string | null {
  const last = watchedOf(query).at(-1);
  const turn = query.get('turn') === '1' ? 2 : 1;
  return last === undefined ? null : `?${listParamsOf(query)}&turn=${turn}#post-${last}`;
}

export function listWithWatched(list: string, postId: string): string {
  const { pathname, searchParams, hash } = new URL(list, 'http://list');
  const watched = watchedOf(searchParams).filter((id) => id !== postId);
  return `${pathname}?${listParamsOf(searchParams, [...watched, postId].slice(-WATCHED_MAX))}${hash}`;
}

export function listWithOpen(list: string, postId: string): string {
  const { pathname, searchParams } = new URL(list, 'http://list');
  const params = listParamsOf(searchParams);
  return `${pathname}?${params && `${params}&`}open=${postId}#post-${postId}`;
}

/** The post at the revision that the user saw when they opened its dialog: `&revision=3`. */
export function atRequestedRevision<Read extends { revision: number }>(
  post: Read,
  query: URLSearchParams,
): Read {
  const revision = query.get('revision') ?? '';
  return /^\d{1,9}$/.test(revision) ? { ...post, revision: Number(revision) } : post;
}

/** The page that a form names as its origin, if it is one of our lists and fits in a header. */
export const listUrlFrom = (from: FormDataEntryValue | null): string | undefined =>
  typeof from === 'string' &&
  /^\/app\/(?:scheduled|posts|dashboard|topics)(?:\?[!-~]{0,600})?(?:#(?:post|topic)-[\w-]{1,40})?$/.test(
    from,
  )
    ? from
    : undefined;
