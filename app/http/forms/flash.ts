import { randomUUID } from 'node:crypto';
import type { MiddlewareFunction, RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { type FlashAction, type FlashMessage, type FlashTone, flashContext } from '#app/context.ts';
import { appCookie } from '#app/http/session/cookie.ts';

const MESSAGES_MAX = 20;
const URL_MAX = 200;
/** The status that React Router's single fetch has for a redirect. */
const DATA_REDIRECT = 202;

/**
 * Each response stores its messages in a cookie with a name of its own: responses may arrive in any order, and with a
 * shared name one would overwrite or clear the messages of another.
 */
const COOKIE = 'notices';
const flashCookie = (name: string) => appCookie(name, { maxAge: 60 });

/**
 * The flash cookies of a request, by name without prefix. At most `MESSAGES_MAX` are read, and each is parsed on its
 * own: parsing the whole header for every name would take quadratic time. With https, a cookie without the `__Host-`
 * prefix may come from a neighbouring host, so it is ignored.
 */
function flashCookiesIn(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const cookie of header.split(';')) {
    const [, sentName, name] = /^ *((?:__Host-)?(notices[\w-]*))=/.exec(cookie) ?? [];
    if (name && sentName === flashCookie(name).name && !found.has(name)) found.set(name, cookie);
    if (found.size === MESSAGES_MAX) break;
  }
  return found;
}

/** Loaders run in parallel: a redirect by one discards the page that would have shown the messages. */
const isRedirect = ({ status }: Response) => status === DATA_REDIRECT || (status >= 300 && status < 400);

function formActionOf({ method }: Request, { pathname, search }: URL): string | undefined {
  const action = pathname + search;
  return method === 'GET' || action.length > URL_MAX ? undefined : action;
}

const StoredMessages: z.ZodType<FlashMessage[]> = z
  .array(
    z.object({
      id: z.uuid(),
      tone: z.enum(['success', 'error', 'info']),
      text: z.string().max(500),
      formAction: z.string().max(URL_MAX).optional(),
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
  .max(MESSAGES_MAX)
  .catch([]);

async function readStored(request: Request): Promise<{ names: string[]; stored: FlashMessage[] }> {
  const cookies = [...flashCookiesIn(request.headers.get('Cookie') ?? '')];
  const messages = cookies.map(async ([name, cookie]) =>
    StoredMessages.parse(await flashCookie(name).parse(cookie)),
  );
  return { names: cookies.map(([name]) => name), stored: (await Promise.all(messages)).flat() };
}

/** Page middleware: keeps flash messages in cookies until a page shows them, so that they survive a redirect. */
export const flashMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const { names, stored } = await readStored(request);
  const formAction = formActionOf(request, url);
  context.set(flashContext, { pending: [...stored], formAction, areShown: false });
  const response = await next();
  const { pending, areShown } = context.get(flashContext);
  const isSeen = areShown && !isRedirect(response);
  const fresh = isSeen ? [] : pending.slice(stored.length);
  const isFull = fresh.length > 0 && pending.length > MESSAGES_MAX;
  if (isSeen || isFull || stored.length === 0) {
    for (const name of names) {
      response.headers.append('Set-Cookie', await flashCookie(name).serialize([], { maxAge: 0 }));
    }
  }
  if (fresh.length > 0) {
    const cookie = flashCookie(`${COOKIE}-${fresh[0]!.id.slice(0, 8)}`);
    const messages = isFull ? pending.slice(-MESSAGES_MAX) : fresh;
    response.headers.append('Set-Cookie', await cookie.serialize(messages));
  }
  return response;
};

/**
 * Adds a message to the next page that the user sees, as a toast. With `at` it is also shown inline, see FlashMessage.
 * `action` adds a button to it.
 */
export function setFlash(
  context: Readonly<RouterContextProvider>,
  tone: FlashTone,
  text: string,
  at?: string,
  href?: string,
  action?: FlashAction,
): void {
  const { pending, formAction } = context.get(flashContext);
  pending.push({ id: randomUUID(), tone, text, formAction, at, href, action });
}

/** Returns the messages to render, and marks them as shown. */
export function consumeFlash(context: Readonly<RouterContextProvider>): FlashMessage[] {
  const flash = context.get(flashContext);
  flash.areShown = true;
  return flash.pending;
}

/** Whether a form that was posted to this path has a success message that is still to be shown. */
export const hasSucceeded = (context: Readonly<RouterContextProvider>, path: string): boolean =>
  context
    .get(flashContext)
    .pending.some(({ tone, formAction }) => tone === 'success' && formAction?.split('?')[0] === path);
