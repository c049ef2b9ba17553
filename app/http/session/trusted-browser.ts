import { z } from 'zod';
import { db } from '#app/db/client.ts';
import { recordSignIn } from '#app/domain/accounts/sign-in/new-device.ts';
import { findUserByEmail } from '#app/domain/accounts/users.ts';
import { hashToken } from '#app/domain/platform/secrets.ts';
import { clientNetwork } from '#app/http/client-ip.ts';
import { TRUSTED_BROWSER_DAYS } from '#app/http/limits.ts';
import { isKnownAddress } from '#app/http/rate-limit.ts';
import { appCookie } from './cookie.ts';
import { cookieSecrets } from './signed-cookie.ts';

const MAX_AGE_SECONDS = TRUSTED_BROWSER_DAYS * 86_400;
const ACCOUNTS_MAX = 20;
const Accounts = z.array(z.string()).max(ACCOUNTS_MAX);

/** Hashes of the accounts that have signed in from a browser. */
const cookie = () => appCookie('known', { maxAge: MAX_AGE_SECONDS, secrets: cookieSecrets() });

const readTrusted = async (request: Request): Promise<string[]> =>
  Accounts.safeParse(await cookie().parse(request.headers.get('Cookie'))).data ?? [];

const hashOf = (userId: string) => hashToken(`known-browser:${userId}`);

export async function isTrustedBrowser(request: Request, email: string): Promise<boolean> {
  const hashes = await readTrusted(request);
  const userId = hashes.length > 0 ? (await findUserByEmail(db(), email))?.id : undefined;
  return userId !== undefined && hashes.includes(hashOf(userId));
}

/** Whether the account has signed in from this browser or address before, for the limits of password resets. */
export const codeRequester = async (request: Request, email: string) => ({
  isKnown: (await isTrustedBrowser(request, email)) || (await isKnownAddress(request, email)),
});

/** Notifies the user of a sign-in from a new browser. Returns the Set-Cookie header that makes the browser known. */
export async function rememberBrowser(request: Request, userId: string): Promise<string> {
  const hashes = await readTrusted(request);
  const own = hashOf(userId);
  const userAgent = request.headers.get('User-Agent') ?? '';
  const network = clientNetwork(request);
  await recordSignIn(db(), userId, { userAgent, isKnown: hashes.includes(own), network });
  const others = hashes.filter((hash) => hash !== own).slice(0, ACCOUNTS_MAX - 1);
  return cookie().serialize([own, ...others]);
}
