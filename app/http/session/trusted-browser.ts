import { z } from 'zod';
import { db } from '#app/db/client.ts';
import { recordSignIn } from '#app/domain/accounts/sign-in/new-device.ts';
import { findUserByEmail } from '#app/domain/accounts/users.ts';
import { hashToken } from '#app/domain/platform/secrets.ts';
import { clientNetwork } from '#app/http/client-ip.ts';
import { TRUSTED_BROWSER_DAYS } from '#app/http/limits.ts';
import { isKnownAddress } from '#app/http/rate-limit.ts';
import { ourCookie } from './cookie.ts';
import { cookieSecrets } from './signed-cookie.ts';

const KEPT_SECONDS = TRUSTED_BROWSER_DAYS * 86_400;
const MOST_ACCOUNTS = 20;
const Accounts = z.array(z.string()).max(MOST_ACCOUNTS);

/** Which accounts have signed in from a browser. It is signed, and says nothing about whose they are. */
const cookie = () => ourCookie('known', { maxAge: KEPT_SECONDS, secrets: cookieSecrets() });

const readTrusted = async (request: Request): Promise<string[]> =>
  Accounts.safeParse(await cookie().parse(request.headers.get('Cookie'))).data ?? [];

const nameOf = (userId: string) => hashToken(`known-browser:${userId}`);

/** Whether the account with this address has signed in from this browser before, wherever the browser is now. */
export async function isTrustedBrowser(request: Request, email: string): Promise<boolean> {
  const known = await readTrusted(request);
  const userId = known.length > 0 ? (await findUserByEmail(db(), email))?.id : undefined;
  return userId !== undefined && known.includes(nameOf(userId));
}

/** Who asks for a code that sets a new password: somebody who has signed in from this browser or address, or a stranger. */
export const codeRequester = async (request: Request, email: string) => ({
  isKnown: (await isTrustedBrowser(request, email)) || (await isKnownAddress(request, email)),
});

/** Has the owner told when the account has not signed in from this browser before; answers the cookie by which it is known then. */
export async function noteBrowser(request: Request, userId: string): Promise<string> {
  const known = await readTrusted(request);
  const own = nameOf(userId);
  const userAgent = request.headers.get('User-Agent') ?? '';
  await recordSignIn(db(), userId, {
    userAgent,
    isKnown: known.includes(own),
    network: clientNetwork(request),
  });
  const others = known.filter((each) => each !== own).slice(0, MOST_ACCOUNTS - 1);
  return cookie().serialize([own, ...others]);
}
