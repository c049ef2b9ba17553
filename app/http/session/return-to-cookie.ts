import { redirectDocument } from 'react-router';
import { z } from 'zod';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { signedCookie } from './signed-cookie.ts';

const EXPIRES_MS = 30 * 60_000;
const QUERY = /\?[!-~]{0,600}/.source;
const MENU = 'topics|voice|voice/facts|voice/interview|scheduled|posts|payments|linkedin|feedback|support';
const ACCOUNT = 'account|account/(?:security|tokens|emails|data)';
const ADMIN =
  'admin|admin/(?:publishing|writing|operations(?:/list)?|start-page|audit|subscriptions|revenue|trends|support-feedback|saved-replies)';
const ID = '[\\da-f-]{36}';
const ONE = `posts/${ID}(?:/versions)?|payments/${ID}/receipt|support/${ID}|admin/(?:ledgers|users)/${ID}`;
/** Pages only, no other URLs. The dashboard without a query is the default anyway. */
const PAGES = new RegExp(`^/app/(?:(?:${MENU}|${ACCOUNT}|${ADMIN}|${ONE})(?:${QUERY})?|dashboard${QUERY})$`);

export const isOurPage = (url: string): boolean => PAGES.test(url);

const cookie = signedCookie('wanted', z.object({ to: z.string().refine(isOurPage), until: z.number() }));

/** Redirects to the sign-in page, with a cookie that has the requested page. */
export async function sendToSignIn({ pathname, search }: URL, now = databaseNow()): Promise<Response> {
  const response = redirectDocument('/login');
  const to = pathname + search;
  return isOurPage(to) ? cookie.remember(response, { to, until: now.getTime() + EXPIRES_MS }) : response;
}

export async function findReturnTo(request: Request, now = databaseNow()): Promise<string | undefined> {
  const target = await cookie.read(request);
  return target && target.until > now.getTime() ? target.to : undefined;
}

export const clearReturnTo = async (request: Request, response: Response): Promise<Response> =>
  (await cookie.read(request)) ? cookie.forget(response) : response;
