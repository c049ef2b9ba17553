import { type Db, db } from '#app/db/client.ts';
import { type BoardEntry, findFeedback, listBoard } from '#app/domain/feedback/board.ts';
import { BoardQuery } from '#app/domain/feedback/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isCountedCursor, isCursor } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { boardAddress, type Chosen } from './paths.ts';
import { describeEntry } from './present.ts';

const PER_PAGE = 25;
const NAMES = ['sort', 'type', 'status', 'q'] as const;

/** What an address asks for. What of it is not possible is left out, as if it had not been chosen. */
function askedOf(query: URLSearchParams): BoardQuery {
  const asked = NAMES.flatMap((name) => {
    const value = query.get(name) || undefined;
    return value && BoardQuery.safeParse({ [name]: value }).success ? [[name, value]] : [];
  });
  return BoardQuery.parse(Object.fromEntries(asked));
}

const chosenOf = ({ sort, type, status, q }: BoardQuery): Chosen => ({
  sort,
  type: type ?? '',
  status: status ?? '',
  q: q ?? '',
});

async function findOpened(db: Db, actor: Actor, id: string | null): Promise<BoardEntry | undefined> {
  if (!id) return undefined;
  try {
    return await findFeedback(db, actor, id);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A page of the board, and what is opened of it. */
export async function loadBoard(actor: Actor, query: URLSearchParams) {
  const chosen = askedOf(query);
  const isKnown = chosen.sort === 'votes' ? isCountedCursor : isCursor;
  const cursor = query.get('cursor') ?? '';
  const isLater = isKnown(cursor);
  const [{ rows, nextCursor }, opened] = await Promise.all([
    listBoard(db(), actor, { ...chosen, limit: PER_PAGE, cursor: isLater ? cursor : undefined }),
    findOpened(db(), actor, query.get('open')),
  ]);
  const shown = chosenOf(chosen);
  return {
    entries: rows.map((row) => describeEntry(row, actor)),
    opened: opened ? describeEntry(opened, actor) : null,
    chosen: shown,
    isNarrowed: [shown.type, shown.status, shown.q].some(Boolean),
    here: boardAddress(shown, isLater ? cursor : undefined),
    first: isLater ? boardAddress(shown) : null,
    next: nextCursor && boardAddress(shown, nextCursor),
  };
}
