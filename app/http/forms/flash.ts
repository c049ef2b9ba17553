import { randomUUID } from 'node:crypto';
import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { type FlashAction, type FlashMessage, type FlashTone, flashContext } from '#app/context.ts';
import { appCookie } from '#app/http/session/cookie.ts';

const MOST = 20;
/** What is sent to a longer address is not told apart from others. */
const LONGEST_ADDRESS = 200;
/** What React Router answers to its own scripts in place of a 302. */
const DATA_REDIRECT = 202;

/**
 * The notices of each answer wait in a cookie of their own: answers cross on their way, and one would write over what
 * another has just said, or take it back unseen.
 */
const NOTICES = 'notices';
const ourNotices = (name: string) => appCookie(name, { maxAge: 60 });

/**
 * The cookies with notices that a browser sends, by their names without a prefix. At most `MOST` are read, each parsed on
 * its own: parsing the whole header for every name would take the square of its length. With https, a cookie
 * without the `__Host-` prefix may come from a neighbouring host, so it is ignored.
 */
function broughtIn(cookies: string): Map<string, string> {
  const brought = new Map<string, string>();
  for (const cookie of cookies.split(';')) {
    const [, sent, name] = /^ *((?:__Host-)?(notices[\w-]*))=/.exec(cookie) ?? [];
    if (name && sent === ourNotices(name).name && !brought.has(name)) brought.set(name, cookie);
    if (brought.size === MOST) break;
  }
  return brought;
}

/** The loaders of a page run side by side: a redirect of one throws away what the root was about to show. */
const isRedirect = ({ status }: Response) => status === DATA_REDIRECT || (status >= 300 && status < 400);

/** Where a form was sent, as its page says it. */
function formOf({ method }: Request, { pathname, search }: URL): string | undefined {
  const address = pathname + search;
  return method === 'GET' || address.length > LONGEST_ADDRESS ? undefined : address;
}

/** What a browser may bring; anything else in the cookie counts as nothing. */
const Carried: z.ZodType<FlashMessage[]> = z
  .array(
    z.object({
      id: z.uuid(),
      tone: z.enum(['success', 'error', 'info']),
      text: z.string().max(500),
      of: z.string().max(LONGEST_ADDRESS).optional(),
      at: z.string().max(50).optional(),
      href: z.url({ protocol: /^https?$/ }).optional(),
      action: z
        .object({
          label: z.string().max(30),
          to: z.string().regex(/^\/app\/[\w/-]{1,200}$/),
          fields: z.record(z.string().max(30), z.string().max(700)),
        })
        .optional(),
    }),
  )
  .max(MOST)
  .catch([]);

async function readCarried(request: Request): Promise<{ brought: string[]; carried: FlashMessage[] }> {
  const brought = [...broughtIn(request.headers.get('Cookie') ?? '')];
  const read = brought.map(async ([name, cookie]) => Carried.parse(await ourNotices(name).parse(cookie)));
  return { brought: brought.map(([name]) => name), carried: (await Promise.all(read)).flat() };
}

/**
 * Page middleware: notices wait in cookies until a page shows them, so that they survive a redirect
 * and need no scripts.
 */
export const flashMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const { brought, carried } = await readCarried(request);
  context.set(flashContext, { pending: [...carried], of: formOf(request, url), areShown: false });
  const response = await next();
  const { pending, areShown } = context.get(flashContext);
  const isSeen = areShown && !isRedirect(response);
  const fresh = isSeen ? [] : pending.slice(carried.length);
  // Where nobody looks what waits does not grow without end.
  const isFull = fresh.length > 0 && pending.length > MOST;
  if (isSeen || isFull || carried.length === 0) {
    for (const name of brought) {
      response.headers.append('Set-Cookie', await ourNotices(name).serialize([], { maxAge: 0 }));
    }
  }
  if (fresh.length > 0) {
    const name = `${NOTICES}-${fresh[0]!.id.slice(0, 8)}`;
    response.headers.append(
      'Set-Cookie',
      await ourNotices(name).serialize(isFull ? pending.slice(-MOST) : fresh),
    );
  }
  return response;
};

/**
 * Adds a notice to the next page the user sees. An error that no field shows, and what is left to be done at LinkedIn,
 * stands in the page `at` a place, too. An `action` is a button in the notice.
 */
export function setFlash(
  context: Readonly<RouterContextProvider>,
  tone: FlashTone,
  text: string,
  at?: string,
  href?: string,
  action?: FlashAction,
): void {
  const { pending, of } = context.get(flashContext);
  pending.push({ id: randomUUID(), tone, text, of, at, href, action });
}

/** The notices to render now; they count as shown. */
export function consumeFlash(context: Readonly<RouterContextProvider>): FlashMessage[] {
  const notices = context.get(flashContext);
  notices.areShown = true;
  return notices.pending;
}

/** Whether the next page is to say that the form of a page, sent from this browser, did what it is for. */
export const hasSucceeded = (context: Readonly<RouterContextProvider>, path: string): boolean =>
  context.get(flashContext).pending.some(({ tone, of }) => tone === 'success' && of?.split('?')[0] === path);
