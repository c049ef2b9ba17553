import type { Db } from '#app/db/client.ts';
import { findEmailChange } from '#app/domain/accounts/lifecycle/change-email.ts';
import { findNextReauthCodeAt, findReauthMethod } from '#app/domain/accounts/reauthenticate.ts';
import type { SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { findShowsPostsSince } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute, formatTime } from '#app/domain/platform/dates.ts';
import { listTakenOffOf } from '#app/domain/posts/landing/exclusions.ts';
import { beginningOf } from '#app/domain/posts/landing/top-posts.ts';
import { presentWait } from '#app/routes/auth/present-wait.ts';
import { zoneOptions } from './time-zone-options.ts';

/** `form`: the form that is open. Only it needs the list of time zones. */
export async function loadProfile(db: Db, actor: Actor, signedIn: SignedIn, form: string | null, now: Date) {
  const { name, email, isAdmin, timeZone } = actor;
  const waitOf = (at: Date | null) => presentWait(at && { at, timeZone }, now);
  const [change, kind, shownSince, takenOff] = await Promise.all([
    findEmailChange(db, signedIn, now),
    findReauthMethod(db, actor),
    findShowsPostsSince(db, actor.userId),
    listTakenOffOf(db, actor.userId),
  ]);
  const resendAt = kind === 'code' ? await findNextReauthCodeAt(db, actor, now) : null;
  return {
    name,
    email,
    isAdmin,
    timeZone,
    time: formatTime(now, timeZone),
    zones: form === 'zone' ? zoneOptions() : [],
    change: change ? { newEmail: change.newEmail, wait: waitOf(change.nextCodeAt) } : null,
    shownSince: shownSince && formatMinute(shownSince, timeZone),
    takenOff: takenOff.map(({ postId, content, reason, excludedAt }) => {
      return { postId, beginning: beginningOf(content, 60), reason, on: formatMinute(excludedAt, timeZone) };
    }),
    proof: { kind, wait: waitOf(resendAt) },
  };
}
export type Profile = Awaited<ReturnType<typeof loadProfile>>;
