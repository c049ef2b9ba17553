import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { formatMoney } from '#app/domain/payments/money.ts';
import { planLabel, postsADay } from '#app/domain/payments/plan-labels.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { TICKET_STATUSES } from '#app/domain/support/limits.ts';
import { STATUS_LABELS } from '#app/routes/admin/payments/status-labels.ts';
import { supportAddress } from '#app/routes/admin/support/paths.ts';
import { ledgerOf } from '#app/routes/admin/tabs.tsx';
import { presentPostLine } from '#app/routes/admin/users/present.ts';
import type { LoadedUser } from './load.ts';

type Fact = [label: string, value: string];
type Format = (at: Date) => string;

const zoneOf = ({ timeZone }: Actor) => timeZone.replaceAll('_', ' ');

function presentAccount({ user, account, waysIn, factors }: LoadedUser, minute: Format): Fact[] {
  const providers = waysIn.identities.map(({ provider }) => PROVIDER_NAMES[provider]);
  const steps = [
    factors.hasApp && 'authenticator app',
    factors.passkeys > 0 && `${factors.passkeys} passkeys`,
  ];
  return [
    ['ID', user.userId],
    ['Joined', minute(account.createdAt)],
    ['Last signed in', account.signedInAt ? minute(account.signedInAt) : 'Never by a browser'],
    ['Time zone', zoneOf(user)],
    [
      'Signs in with',
      [waysIn.hasPassword && 'Password', ...providers].filter(Boolean).join(', ') || 'Passkeys',
    ],
    ['Second step', steps.filter(Boolean).join(', ') || 'None'],
  ];
}

function presentPlan({ subscription }: LoadedUser, date: Format): Fact[] {
  if (!subscription) return [];
  const { status, postsPerDay, startsAt, endsAt, amountMinor, currencyCode } = subscription;
  return [
    ['Plan', `${planLabel(postsPerDay)}, ${postsADay(postsPerDay)}`],
    ['State', STATUS_LABELS[status]],
    ['Paid', formatMoney(amountMinor, { code: currencyCode })],
    ['Period', startsAt && endsAt ? `${date(startsAt)} to ${date(endsAt)}` : 'Not begun'],
  ];
}

function presentConnection({ connection }: LoadedUser, minute: Format): Fact[] {
  if (!connection) return [];
  const { name, email, isAlive, renewsItself, connectedAt, expiresAt } = connection;
  return [
    ['Profile', email ? `${name} (${email})` : name],
    ['State', isAlive ? 'Connected' : 'Not connected any more'],
    ['Since', minute(connectedAt)],
    ['Permission ends', renewsItself ? 'Renews itself' : minute(expiresAt)],
  ];
}

/** Times of day are in the time zone of the user, unlike all other times of the page. */
const presentAutomation = ({ settings, user }: LoadedUser): Fact[] => [
  ['Automation', settings.enabled ? 'On' : 'Paused'],
  ['Writes at', `${settings.contentCreationTime} (${zoneOf(user)})`],
  ['Publishes at', `${settings.publishTimes.join(', ')} (${zoneOf(user)})`],
  ['Days', settings.publishDays.length === 7 ? 'Every day' : settings.publishDays.join(', ')],
  ['Asks first', settings.requireApproval ? 'Before each post' : 'No'],
];

function presentLists(loaded: LoadedUser, minute: Format) {
  return {
    topics: loaded.topics.rows.map(({ id, name, isActive, isPaused, failure }) => ({
      id,
      name,
      state: !isActive ? 'Off' : isPaused ? 'Paused' : 'Active',
      reason: isPaused ? failure || null : null,
    })),
    payments: loaded.payments.rows.map(
      ({ id, status, postsPerDay, amountMinor, currencyCode, ...payment }) => ({
        id,
        plan: planLabel(postsPerDay),
        state: STATUS_LABELS[status],
        reference: payment.reference,
        amount: formatMoney(amountMinor, { code: currencyCode }),
        at: minute(payment.createdAt),
      }),
    ),
    tickets: loaded.tickets.rows.map(({ id, number, subject, status, createdAt }) => ({
      id,
      title: `#${number} ${subject}`,
      status: TICKET_STATUSES[status],
      at: minute(createdAt),
      to: supportAddress({}, id),
    })),
    sessions: loaded.sessions.map(({ id, device, ipPrefix, lastSeenAt }) => ({
      id,
      device: device || 'Unknown browser',
      place: ipPrefix,
      at: minute(lastSeenAt),
    })),
    tokens: loaded.tokens.map(({ id, name, scope, device, lastUsedAt }) => ({
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
    const ofPost = attempts.get(post.id) ?? [];
    return ofPost.length > 0 ? [{ post: presentPostLine(post, admin), attempts: ofPost }] : [];
  });
}

/** The plan that can be extended; its form sends `endsAt` back. */
const presentActivePlan = ({ subscription }: LoadedUser, minute: Format) =>
  subscription?.status === 'active' && subscription.endsAt
    ? { until: minute(subscription.endsAt), endsAt: subscription.endsAt.toISOString() }
    : null;

export function presentUserPage(loaded: LoadedUser, admin: Actor) {
  const minute: Format = (at) => formatMinute(at, admin.timeZone);
  const date: Format = (at) => formatDate(at, admin.timeZone);
  const { user, account } = loaded;
  const { disabledAt, reason, eraseAt } = account;
  return {
    id: user.userId,
    name: user.name,
    email: user.email,
    isAdmin: user.isAdmin,
    ledger: ledgerOf(user.userId),
    isOwn: user.userId === admin.userId,
    disabled: disabledAt && { since: minute(disabledAt), reason: reason ?? '' },
    deletesAt: eraseAt && minute(eraseAt),
    activePlan: presentActivePlan(loaded, minute),
    account: presentAccount(loaded, minute),
    plan: presentPlan(loaded, date),
    connection: presentConnection(loaded, minute),
    automation: presentAutomation(loaded),
    ...presentLists(loaded, minute),
    queue: loaded.queue.rows.map((post) => presentPostLine(post, admin)),
    posts: loaded.posts.rows.map((post) => presentPostLine(post, admin)),
    attempts: presentAttempts(loaded, admin),
    nextPosts: loaded.posts.nextCursor,
    isLater: loaded.isLater,
  };
}
export type PresentedUserPage = ReturnType<typeof presentUserPage>;
