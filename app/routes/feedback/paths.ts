import type { BoardQuery } from '#app/domain/feedback/schema.ts';

export const BOARD = '/app/feedback';
export const GIVE = `${BOARD}?dialog=feedback`;
export const SIMILAR = `${BOARD}/similar`;

export const voteAddress = (id: string) => `${BOARD}/${id}/vote`;
export const openAddress = (id: string) => `${BOARD}?open=${id}`;

/** The filter as the values of its form: an empty string means no filter. */
export type Chosen = { sort: BoardQuery['sort']; type: string; status: string; q: string };

export function boardAddress(chosen: Partial<Chosen>, cursor?: string): string {
  const params = Object.entries({ ...chosen, sort: chosen.sort === 'votes' ? '' : chosen.sort, cursor });
  const search = new URLSearchParams(params.filter(([, value]) => value) as [string, string][]);
  return search.size > 0 ? `${BOARD}?${search}` : BOARD;
}

/** The same page with a dialog open. */
export const dialogAt = (here: string, dialog: string) => `${here}${here.includes('?') ? '&' : '?'}${dialog}`;
