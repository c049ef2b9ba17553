import type { Db } from '#app/db/client.ts';
import { USER_FILTERS } from '#app/domain/accounts/limits.ts';
import { findOpenSignUp } from '#app/domain/accounts/sign-up/pending.ts';
import { listUsers, UsersQuery } from '#app/domain/operations/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isCursor, isId } from '#app/domain/platform/paging.ts';
import { listPosts } from '#app/domain/posts/lists/list.ts';
import { peopleAddress, type UsersPlace } from './paths.ts';
import { presentPostLine, presentSignUp, presentUser } from './present.ts';

const PER_PAGE = 50;
const POSTS_SHOWN = 10;

/** What an address asks for. What of it is not possible is left out, as if it had not been chosen. */
function peoplePlaceIn(query: URLSearchParams): UsersPlace {
  const [q, show, cursor] = [query.get('q') ?? '', query.get('show') ?? '', query.get('cursor') ?? ''];
  return {
    q: UsersQuery.safeParse({ q }).success ? q.trim() : '',
    show: USER_FILTERS.find((each) => each === show) ?? '',
    cursor: isCursor(cursor) ? cursor : '',
  };
}

async function loadPostsOf(db: Db, admin: Actor, userId: string | null, now: Date) {
  if (!userId || !isId(userId)) return null;
  const { rows } = await listPosts(db, { ...admin, userId }, { limit: POSTS_SHOWN }, now);
  return { userId, lines: rows.map((post) => presentPostLine(post, admin)) };
}

/** A page of everybody, with the latest posts of whom the address names. */
export async function loadUsers(db: Db, admin: Actor, query: URLSearchParams, now: Date) {
  const place = peoplePlaceIn(query);
  const asked = Object.entries(place).filter(([, value]) => value !== '');
  const [{ rows, nextCursor }, opened, signUp] = await Promise.all([
    listUsers(db, UsersQuery.parse({ ...Object.fromEntries(asked), limit: PER_PAGE }), now),
    loadPostsOf(db, admin, query.get('user'), now),
    place.q.includes('@') ? findOpenSignUp(db, place.q, now) : undefined,
  ]);
  return {
    people: rows.map((row) => presentUser(row, admin)),
    signUp: signUp ? presentSignUp(signUp, admin) : null,
    place,
    opened,
    isNarrowed: place.q !== '' || place.show !== '',
    next: nextCursor && peopleAddress({ ...place, cursor: nextCursor }),
    first: place.cursor ? peopleAddress({ ...place, cursor: '' }) : null,
  };
}
export type UsersPage = Awaited<ReturnType<typeof loadUsers>>;
