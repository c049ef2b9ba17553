import type { Db } from '#app/db/client.ts';
import { USER_FILTERS } from '#app/domain/accounts/limits.ts';
import { findOpenSignUp } from '#app/domain/accounts/sign-up/pending.ts';
import { listUsers, UsersQuery as UsersInput } from '#app/domain/operations/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isCursor, isId } from '#app/domain/platform/paging.ts';
import { listPosts } from '#app/domain/posts/lists/list.ts';
import { type UsersQuery, usersAddress } from './paths.ts';
import { presentPostLine, presentSignUp, presentUser } from './present.ts';

const PER_PAGE = 50;
const POSTS_SHOWN = 10;

/** Leaves out what the list could not be filtered by. */
function parseUsersQuery(query: URLSearchParams): UsersQuery {
  const [q, show, cursor] = [query.get('q') ?? '', query.get('show') ?? '', query.get('cursor') ?? ''];
  return {
    q: UsersInput.safeParse({ q }).success ? q.trim() : '',
    show: USER_FILTERS.find((filter) => filter === show) ?? '',
    cursor: isCursor(cursor) ? cursor : '',
  };
}

async function loadPostsOf(db: Db, admin: Actor, userId: string | null, now: Date) {
  if (!userId || !isId(userId)) return null;
  const { rows } = await listPosts(db, { ...admin, userId }, { limit: POSTS_SHOWN }, now);
  return { userId, lines: rows.map((post) => presentPostLine(post, admin)) };
}

/** `?user=ID` opens the latest posts of that user. */
export async function loadUsers(db: Db, admin: Actor, query: URLSearchParams, now: Date) {
  const current = parseUsersQuery(query);
  const filter = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== ''));
  const [{ rows, nextCursor }, opened, signUp] = await Promise.all([
    listUsers(db, UsersInput.parse({ ...filter, limit: PER_PAGE }), now),
    loadPostsOf(db, admin, query.get('user'), now),
    current.q.includes('@') ? findOpenSignUp(db, current.q, now) : undefined,
  ]);
  return {
    users: rows.map((row) => presentUser(row, admin)),
    signUp: signUp ? presentSignUp(signUp, admin) : null,
    current,
    opened,
    isNarrowed: current.q !== '' || current.show !== '',
    next: nextCursor && usersAddress({ ...current, cursor: nextCursor }),
    first: current.cursor ? usersAddress({ ...current, cursor: '' }) : null,
  };
}
export type UsersPage = Awaited<ReturnType<typeof loadUsers>>;
