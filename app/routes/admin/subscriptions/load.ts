import type { Db } from '#app/db/client.ts';
import { listKnownCurrencies } from '#app/domain/payments/prices.ts';
import {
  findAsked,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { ledgerOf, SUBSCRIPTIONS } from '#app/routes/admin/tabs.tsx';
import { chosenOf, describeSubscription, filtersOf } from './present.ts';

const NAMES = ['q', 'status', 'currencyCode', 'postsPerDay', 'cursor'] as const;

/** What an address asks for. What of it is not possible is left out, as if it had not been chosen. */
function askedOf(query: URLSearchParams): SubscriptionsQuery {
  const asked = NAMES.flatMap((name) => {
    const value = query.get(name) || undefined;
    return value && SubscriptionsQuery.safeParse({ [name]: value }).success ? [[name, value]] : [];
  });
  return SubscriptionsQuery.parse(Object.fromEntries(asked));
}

/** A page of everybody's plans, with what they can be narrowed to. */
export async function loadSubscriptions(db: Db, actor: Actor, query: URLSearchParams, now: Date) {
  const asked = askedOf(query);
  const [{ rows, nextCursor }, currencies, found] = await Promise.all([
    listSubscriptions(db, asked, now),
    listKnownCurrencies(db),
    findAsked(db, asked.q),
  ]);
  const { chosen, search, isNarrowed } = chosenOf(asked);
  const pageAt = (cursor: string | null) =>
    cursor && `${SUBSCRIPTIONS}?${[search, `cursor=${cursor}`].filter(Boolean).join('&')}`;
  return {
    asked: found ? { ...found, ledger: ledgerOf(found.userId) } : null,
    plans: rows.map((row) => describeSubscription(row, actor)),
    chosen,
    isNarrowed,
    filters: filtersOf(currencies),
    older: pageAt(nextCursor),
    newest: asked.cursor ? `${SUBSCRIPTIONS}${search && `?${search}`}` : null,
  };
}
