import { Secret, TOTP } from 'otpauth';
import type { Db } from '#app/db/client.ts';
import { beginTotp, findAppToSetUp } from '#app/domain/accounts/two-step/totp.ts';
import { setUpAuthenticatorApp } from '#app/domain/accounts/two-step/two-step.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { inSession } from '#tests/make/sessions.ts';

/** What an authenticator app shows at a moment for a secret that was typed into it. */
export const appCode = (groups: string, at: Date) =>
  new TOTP({ secret: Secret.fromBase32(groups.replaceAll(' ', '')) }).generate({ timestamp: at.getTime() });

const MINUTE_MS = 60_000;

/** Sets up an authenticator app a while ago: its codes of now are all unused. */
export async function makeApp(db: Db, actor: Actor, now = new Date()) {
  const before = new Date(now.getTime() - 5 * MINUTE_MS);
  await beginTotp(db, actor, before);
  const { groups } = (await findAppToSetUp(db, actor, before))!;
  const recoveryCodes = (await setUpAuthenticatorApp(
    db,
    await inSession(db, actor),
    appCode(groups, before),
    before,
  ))!;
  return { groups, recoveryCodes, codeAt: (at: Date) => appCode(groups, at) };
}
