import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { env } from '#app/env.ts';
import { newNonce, tellRequest } from './headers.ts';
import { packingFor } from './packed.ts';
import { likelyCurrency, likelyLanguage } from './visitor-currency.ts';

/** Pages that are the same for all who are not signed in, in one theme and one currency. */
const PAGES = new Set(['/', '/login', '/signup', '/terms', '/privacy', '/imprint']);

/**
 * What was changed is seen after this long. A post that may be shown no more is gone at once; a request that came forgets
 * nothing, or anybody could have every page made anew for each visitor.
 */
const KEPT_MS = 1_000;

/** Whoever brings any other cookie may be signed in, or waits to be told something. */
const THEME = /^theme=(?:light|dark)$/;

type Routes = (request: Request) => Promise<Response>;

/** `parts`: the page cut wherever its nonce stands, and each of these wherever the id of its request does. */
type Page = {
  requestId: string;
  nonce: string;
  headers: [name: string, value: string][];
  parts: string[][];
  /** When it has neither, the bytes for every reader, by how they are packed. */
  bytes: Map<string, Buffer>;
};
type Kept = { since: number; page: Promise<Page | undefined> };

export type KeptPages = {
  /** Answers a request for such a page; else it says that it has not. */
  answer: (incoming: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Something may be shown no more: from now on every page is made anew. */
  forget: () => void;
};

/**
 * Keeps what is the same for all visitors as it was rendered, for a second. Each page is rendered for a request of our own
 * that says nothing but what the page is kept by, so nothing of one visitor reaches another.
 */
export function keepPages(routes: Routes): KeptPages {
  /** As many as there are pages, themes and currencies of all combinations. */
  const kept = new Map<string, Kept>();
  const find = ({ url = '', headers }: IncomingMessage) => {
    const cookie = headers.cookie ?? '';
    const currency = likelyCurrency(headers['accept-language'] ?? null);
    const key = `${url} ${currency} ${cookie}`;
    const known = kept.get(key);
    if (known && performance.now() - known.since < KEPT_MS) return { ...known, isNew: false };
    const made = { since: performance.now(), page: makePage(routes, url, { cookie, currency }) };
    kept.set(key, made);
    return { ...made, isNew: true };
  };
  return {
    async answer(incoming, response) {
      if (!isForAll(incoming)) return false;
      const started = performance.now();
      const { page, isNew } = find(incoming);
      const found = await page;
      if (!found) return false;
      const { requestId, nonce } = isNew ? found : { requestId: randomUUID(), nonce: newNonce() };
      send(response, found, { requestId, nonce }, incoming.headers['accept-encoding']);
      const path = incoming.url!;
      if (!isNew) tellRequest({ requestId, method: 'GET', path, route: path, status: 200 }, started);
      return true;
    },
    forget: () => kept.clear(),
  };
}

const isForAll = ({ method, url = '', headers: { cookie } }: IncomingMessage) =>
  method === 'GET' && PAGES.has(url) && (!cookie || THEME.test(cookie));

/** What a page is kept by, besides its address. */
type Shown = { cookie: string; currency: string | undefined };

async function makePage(routes: Routes, url: string, { cookie, currency }: Shown): Promise<Page | undefined> {
  const asked = new Headers();
  if (cookie) asked.set('Cookie', cookie);
  if (currency) asked.set('Accept-Language', likelyLanguage(currency));
  const answer = await routes(new Request(new URL(url, env().APP_URL), { headers: asked }));
  const requestId = answer.headers.get('X-Request-Id');
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('Content-Security-Policy') ?? '')?.[1];
  const isWhole = answer.status === 200 && !answer.headers.has('Set-Cookie');
  if (!isWhole || !requestId || !nonce) return void answer.body?.cancel();
  const text = await answer.text();
  const parts = text.split(nonce).map((part) => part.split(requestId));
  return { requestId, nonce, headers: [...answer.headers], parts, bytes: new Map() };
}

type Own = Pick<Page, 'requestId' | 'nonce'>;

function send(response: ServerResponse, page: Page, own: Own, encodings = ''): void {
  if (response.destroyed) return;
  for (const [name, value] of page.headers) response.setHeader(name, value.replace(page.nonce, own.nonce));
  response.setHeader('X-Request-Id', own.requestId);
  const { name, bytes } = bytesFor(page, own, encodings);
  if (name) {
    response.setHeader('Content-Encoding', name);
    response.appendHeader('Vary', 'Accept-Encoding');
  }
  response.end(bytes);
}

function bytesFor({ parts, bytes: known }: Page, { requestId, nonce }: Own, encodings: string) {
  const isSame = parts.length === 1 && parts[0]!.length === 1;
  const text = () => Buffer.from(parts.map((part) => part.join(requestId)).join(nonce));
  const packing = packingFor(encodings);
  const name = packing?.name ?? '';
  const bytes = known.get(name) ?? (packing ? packing.pack(text()) : text());
  if (isSame) known.set(name, bytes);
  return { name, bytes };
}
