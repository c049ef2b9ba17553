import type { Actor } from '#app/domain/actor.ts';

/** Only verified people have an account. */
export function userShape({ userId, name, email, isAdmin }: Actor) {
  return { _id: userId, name, email, role: isAdmin ? 'admin' : 'user', verified: true };
}
