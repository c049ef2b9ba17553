import type { BoardQuery } from '#app/domain/feedback/schema.ts';

export const BOARD = '/app/feedback';
/** The address that the form of new feedback is sent to. */
export const GIVE = `${BOARD}?dialog=feedback`;
/** Which titles stand on the board already, for who types one. */
export const SIMILAR = `${BOARD}/similar`;

export const voteAddress = (id: string) => `${BOARD}/${id}/vote`;
export const openAddress = (id: string) => `${BOARD}?open=${id}`;

/** What was chosen, as the form has it: nothing is ''. */
export type Chosen = { sort: BoardQuery['sort']; type: string; status: string; q: string };

/** The board in an order, and narrowed to what was chosen. */
export function boardAddress(chosen: Partial<Chosen>, cursor?: string): string {
  const said = Object.entries({ ...chosen, sort: chosen.sort === 'votes' ? '' : chosen.sort, cursor });
  const search = new URLSearchParams(said.filter(([, value]) => value) as [string, string][]).toString();
  return search ? `${BOARD}?${search}` : BOARD;
}

/** The same place with a dialog. */
export const dialogAt = (here: string, dialog: string) => `${here}${here.includes('?') ? '&' : '?'}${dialog}`;
