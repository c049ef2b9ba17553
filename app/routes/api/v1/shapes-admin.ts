import { planType } from '#app/domain/payments/plan-words.ts';
import type { Person } from '#app/domain/people.ts';

/** Only verified people have an account. */
export function personShape({ id, name, email, isAdmin, isDisabled, ...person }: Person) {
  const { postsPerDay, postCount, publishedCount, createdAt } = person;
  return {
    _id: id,
    name,
    email,
    role: isAdmin ? ('admin' as const) : ('user' as const),
    verified: true,
    disabled: isDisabled,
    hasActiveSubscription: postsPerDay !== null,
    subscriptionPlan: postsPerDay === null ? null : planType(postsPerDay),
    postCount,
    publishedCount,
    createdAt: createdAt.toISOString(),
  };
}
