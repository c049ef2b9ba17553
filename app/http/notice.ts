import { randomUUID } from 'node:crypto';
import { createCookie, type MiddlewareFunction, type RouterContextProvider } from 'react-router';
import { type Notice, type NoticeTone, noticesContext } from '#app/context.ts';

const MOST = 20;
/** What React Router answers to its own scripts in place of a 302. */
const DATA_REDIRECT = 202;
const cookie = createCookie('notices', { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 60 });

/** The loaders of a page run side by side: a redirect of one throws away what the root was about to show. */
const isRedirect = ({ status }: Response) => status === DATA_REDIRECT || (status >= 300 && status < 400);

const isNotice = (value: unknown): value is Notice =>
  typeof value === 'object' && value !== null && typeof (value as Notice).text === 'string';

/**
 * Page middleware: notices wait in a cookie until a page shows them, so that they survive a redirect
 * and need no scripts.
 */
export const carryNotices: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const stored: unknown = await cookie.parse(request.headers.get('Cookie'));
  const carried = Array.isArray(stored) ? stored.filter(isNotice).slice(0, MOST) : [];
  context.set(noticesContext, { pending: [...carried], areShown: false });
  const response = await next();
  const { pending, areShown } = context.get(noticesContext);
  const isSeen = areShown && !isRedirect(response);
  if (isSeen && carried.length > 0) {
    response.headers.append('Set-Cookie', await cookie.serialize([], { maxAge: 0 }));
  } else if (!isSeen && pending.length > carried.length) {
    response.headers.append('Set-Cookie', await cookie.serialize(pending.slice(-MOST)));
  }
  return response;
};

/** Adds a notice to the next page the user sees. */
export function notify(context: Readonly<RouterContextProvider>, tone: NoticeTone, text: string): void {
  context.get(noticesContext).pending.push({ id: randomUUID(), tone, text });
}

/** The notices to render now; they count as shown. */
export function takeNotices(context: Readonly<RouterContextProvider>): Notice[] {
  const notices = context.get(noticesContext);
  notices.areShown = true;
  return notices.pending;
}
