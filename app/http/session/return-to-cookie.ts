import { redirectDocument } from 'react-router';
import { z } from 'zod';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { signedCookie } from './signed-cookie.ts';

/** So long somebody who was sent to sign in is taken back to the page that they wanted. */
const KEPT_MS = 30 * 60_000;
const QUERY = /\?[!-~]{0,600}/.source;
const MENU = 'topics|voice|voice/facts|voice/interview|scheduled|posts|payments|linkedin|feedback|support';
const ACCOUNT = 'account|account/(?:security|tokens|emails|data)';
const ADMIN =
  'admin|admin/(?:publishing|writing|operations(?:/list)?|start-page|audit|subscriptions|revenue|trends|support-feedback|saved-replies)';
const ID = '[\\da-f-]{36}';
const ONE = `posts/${ID}(?:/versions)?|payments/${ID}/receipt|support/${ID}|admin/(?:ledgers|users)/${ID}`;
/** Pages alone, and no other address of ours. The dashboard by itself is where everybody goes who wanted nothing. */
const PAGES = new RegExp(`^/app/(?:(?:${MENU}|${ACCOUNT}|${ADMIN}|${ONE})(?:${QUERY})?|dashboard${QUERY})$`);

/** Whether this is the address of a page of the app to which somebody can be on the way. */
export const isOurPage = (address: string): boolean => PAGES.test(address);

const cookie = signedCookie('wanted', z.object({ to: z.string().refine(isOurPage), until: z.number() }));

/** Sends a browser to sign in, which remembers the page that it wanted. */
export async function sendToSignIn({ pathname, search }: URL, now = databaseNow()): Promise<Response> {
  const answer = redirectDocument('/login');
  const to = pathname + search;
  return isOurPage(to) ? cookie.remember(answer, { to, until: now.getTime() + KEPT_MS }) : answer;
}

/** The page that this browser wanted before it was sent to sign in. */
export async function findReturnTo(request: Request, now = databaseNow()): Promise<string | undefined> {
  const wanted = await cookie.read(request);
  return wanted && wanted.until > now.getTime() ? wanted.to : undefined;
}

/** What was wanted before a sign-in is not wanted after it any more. */
export const clearReturnTo = async (request: Request, answer: Response): Promise<Response> =>
  (await cookie.read(request)) ? cookie.forget(answer) : answer;
