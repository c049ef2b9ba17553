import { CURSOR_MAX_LENGTH, isId } from '#app/domain/platform/paging.ts';
import { POST_LISTS } from '#app/domain/posts/limits.ts';

/** Posts that were just sent stay in their place of a list, whatever became of them: `?watch=ID,ID`. */
const MOST_WATCHED = 8;

export const watchedOf = (query: URLSearchParams): string[] =>
  (query.get('watch') ?? '').split(',').slice(-MOST_WATCHED).filter(isId);

/** What a list shows, as far as its address says so in words of ours: it is said again in every link of the page. */
const KEPT: Record<string, (value: string) => boolean> = {
  status: (value) => POST_LISTS.some((list) => list === value),
  cursor: (value) => value !== '' && value.length <= CURSOR_MAX_LENGTH,
  view: (value) => value === 'month' || value === 'week',
  month: (value) => /^\d{4}-\d\d$/.test(value),
  week: (value) => /^\d{4}-W\d\d$/.test(value),
};

/** The parameters that stay while dialogs of a list open and close. */
export function listParamsOf(query: URLSearchParams, watched = watchedOf(query)): string {
  const kept = Object.entries(KEPT).flatMap(([name, isOurs]) => {
    const value = query.get(name);
    return value !== null && isOurs(value) ? [[name, value]] : [];
  });
  const search = new URLSearchParams(kept).toString();
  const watch = watched.length > 0 ? `watch=${watched.join(',')}` : '';
  return [search, watch].filter(Boolean).join('&');
}

/** The same list with the last post that was sent in view; it changes, or browsers would not load it anew. */
export function freshOf(query: URLSearchParams): string | null {
  const last = watchedOf(query).at(-1);
  const turn = query.get('turn') === '1' ? 2 : 1;
  return last === undefined ? null : `?${listParamsOf(query)}&turn=${turn}#post-${last}`;
}

/** The address of a list on which a post stays in its place. */
export function watching(list: string, postId: string): string {
  const { pathname, searchParams, hash } = new URL(list, 'http://list');
  const watched = watchedOf(searchParams).filter((id) => id !== postId);
  return `${pathname}?${listParamsOf(searchParams, [...watched, postId].slice(-MOST_WATCHED))}${hash}`;
}

/** The address of the queue with a post that is opened in it. */
export function openedIn(list: string, postId: string): string {
  const { pathname, searchParams } = new URL(list, 'http://list');
  const kept = listParamsOf(searchParams);
  return `${pathname}?${kept && `${kept}&`}open=${postId}#post-${postId}`;
}

/**
 * A post whose dialog shows one line of it, at the revision of what was read where the dialog was opened:
 * `&revision=3`.
 */
export function asRead<Read extends { revision: number }>(post: Read, query: URLSearchParams): Read {
  const revision = query.get('revision') ?? '';
  return /^\d{1,9}$/.test(revision) ? { ...post, revision: Number(revision) } : post;
}

/** The address of a page that a button was pressed on; only ours with posts count, and what a header can hold. */
export const listOf = (from: FormDataEntryValue | null): string | undefined =>
  typeof from === 'string' &&
  /^\/app\/(?:scheduled|posts|dashboard|topics)(?:\?[!-~]{0,600})?(?:#(?:post|topic)-[\w-]{1,40})?$/.test(
    from,
  )
    ? from
    : undefined;
