import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { TICKET_STATUSES } from '#app/domain/support/limits.ts';
import { STATUS_WORDS } from '#app/routes/admin/payments/status-labels.ts';
import { supportAddress } from '#app/routes/admin/support/paths.ts';
import { ledgerOf } from '#app/routes/admin/tabs.tsx';
import { presentPostLine } from '#app/routes/admin/users/present.ts';
import type { LoadedUser } from './load.ts';

type Pair = [label: string, value: string];

const zoneOf = ({ timeZone }: Actor) => timeZone.replaceAll('_', ' ');

const yesOr = (is: boolean, yes: string, no: string) => (is ? yes : no);

function presentAccount({ person, account, waysIn, factors }: LoadedUser, minute: Minute): Pair[] {
  const providers = waysIn.identities.map(({ provider }) => PROVIDER_NAMES[provider]);
  const steps = [
    factors.hasApp && 'authenticator app',
    factors.passkeys > 0 && `${factors.passkeys} passkeys`,
  ];
  return [
    ['ID', person.userId],
    ['Joined', minute(account.createdAt)],
    ['Last signed in', account.signedInAt ? minute(account.signedInAt) : 'Never by a browser'],
    ['Time zone', zoneOf(person)],
    [
      'Signs in with',
      [waysIn.hasPassword && 'Password', ...providers].filter(Boolean).join(', ') || 'Passkeys',
    ],
    ['Second step', steps.filter(Boolean).join(', ') || 'None'],
  ];
}

function presentPlan({ subscription }: LoadedUser, day: Minute): Pair[] {
  if (!subscription) return [];
  const { status, postsPerDay, startsAt, endsAt, amountMinor, currencyCode } = subscription;
  return [
    ['Plan', `${planLabel(postsPerDay)}, ${postsADay(postsPerDay)}`],
    ['State', STATUS_WORDS[status]],
    ['Paid', formatMoney(amountMinor, { code: currencyCode })],
    ['Period', startsAt && endsAt ? `${day(startsAt)} to ${day(endsAt)}` : 'Not begun'],
  ];
}

function presentConnection({ connection }: LoadedUser, minute: Minute): Pair[] {
  if (!connection) return [];
  const { name, email, isAlive, renewsItself, connectedAt, expiresAt } = connection;
  return [
    ['Profile', email ? `${name} (${email})` : name],
    ['State', yesOr(isAlive, 'Connected', 'Not connected any more')],
    ['Since', minute(connectedAt)],
    ['Permission ends', yesOr(renewsItself, 'Renews itself', minute(expiresAt))],
  ];
}

/** What is set for every day stands on the clock of whose it is, unlike the instants around it. */
const presentAutomation = ({ settings, person }: LoadedUser, zone = zoneOf(person)): Pair[] => [
  ['Automation', yesOr(settings.enabled, 'On', 'Paused')],
  ['Writes at', `${settings.contentCreationTime} (${zone})`],
  ['Publishes at', `${settings.publishTimes.join(', ')} (${zone})`],
  ['Days', settings.publishDays.length === 7 ? 'Every day' : settings.publishDays.join(', ')],
  ['Asks first', yesOr(settings.requireApproval, 'Before each post', 'No')],
];

type Minute = (at: Date) => string;

function presentLists(read: LoadedUser, minute: Minute) {
  return {
    topics: read.topics.rows.map(({ id, name, isActive, isPaused, failure }) => ({
      id,
      name,
      state: !isActive ? 'Off' : isPaused ? 'Paused' : 'Active',
      why: isPaused ? failure || null : null,
    })),
    payments: read.payments.rows.map(
      ({ id, status, postsPerDay, amountMinor, currencyCode, ...payment }) => ({
        id,
        plan: planLabel(postsPerDay),
        state: STATUS_WORDS[status],
        reference: payment.reference,
        amount: formatMoney(amountMinor, { code: currencyCode }),
        at: minute(payment.createdAt),
      }),
    ),
    tickets: read.tickets.rows.map(({ id, number, subject, status, createdAt }) => ({
      id,
      title: `#${number} ${subject}`,
      status: TICKET_STATUSES[status],
      at: minute(createdAt),
      to: supportAddress({}, id),
    })),
    sessions: read.sessions.map(({ id, device, ipPrefix, lastSeenAt }) => ({
      id,
      device: device || 'Unknown browser',
      place: ipPrefix,
      at: minute(lastSeenAt),
    })),
    tokens: read.tokens.map(({ id, name, scope, device, lastUsedAt }) => ({
      id,
      name: name ?? (device || 'Signed-in program'),
      scope,
      at: lastUsedAt ? minute(lastUsedAt) : 'Never used',
    })),
  };
}

function presentAttempts({ attempts, queue, posts }: LoadedUser, admin: Actor) {
  const rows = new Map([...queue.rows, ...posts.rows].map((post) => [post.id, post]));
  return [...rows.values()].flatMap((post) => {
    const made = attempts.get(post.id) ?? [];
    return made.length > 0 ? [{ post: presentPostLine(post, admin), attempts: made }] : [];
  });
}

/** When the plan ends that can be extended: in words, and as its form has it. */
const presentEnd = ({ subscription }: LoadedUser, minute: Minute) =>
  subscription?.status === 'active' && subscription.endsAt
    ? { until: minute(subscription.endsAt), endsAt: subscription.endsAt.toISOString() }
    : null;

/** Everything of an account in words, by the admin's clock. */
export function presentUserPage(read: LoadedUser, admin: Actor) {
  const minute: Minute = (at) => formatMinute(at, admin.timeZone);
  const day: Minute = (at) => formatDate(at, admin.timeZone);
  const { person, account } = read;
  const { disabledAt, reason, eraseAt } = account;
  return {
    id: person.userId,
    name: person.name,
    email: person.email,
    isAdmin: person.isAdmin,
    ledger: ledgerOf(person.userId),
    isOwn: person.userId === admin.userId,
    disabled: disabledAt && { since: minute(disabledAt), reason: reason ?? '' },
    leaves: eraseAt && minute(eraseAt),
    runs: presentEnd(read, minute),
    account: presentAccount(read, minute),
    plan: presentPlan(read, day),
    connection: presentConnection(read, minute),
    automation: presentAutomation(read),
    ...presentLists(read, minute),
    queue: read.queue.rows.map((post) => presentPostLine(post, admin)),
    posts: read.posts.rows.map((post) => presentPostLine(post, admin)),
    attempts: presentAttempts(read, admin),
    nextPosts: read.posts.nextCursor,
    isLater: read.isLater,
  };
}
export type PresentedUserPage = ReturnType<typeof presentUserPage>;
