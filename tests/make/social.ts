import type { Browser } from './browser.ts';

type Provider = 'google' | 'linkedin';
type Who = {
  email: string;
  name?: string;
  /** The provider says that the address is not verified. */
  unverified?: boolean;
  decision?: 'allow' | 'cancel';
};

export const locationOf = (response: Response) => response.headers.get('Location') ?? '';

/** Answers at the consent page of the sandbox as somebody; the address on which it sends the browser back. */
export async function agree(authUrl: string, { email, name = '', unverified, decision = 'allow' }: Who) {
  const url = new URL(authUrl);
  const body = new URLSearchParams([...url.searchParams, ['email', email], ['decision', decision]]);
  if (name) body.set('name', name);
  if (unverified) body.set('unverified', 'on');
  const answer = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(locationOf(answer));
  return back.pathname + back.search;
}

/** Presses the button of a provider and answers there; the address on which the browser is sent back. */
export async function sentBack(browser: Browser, provider: Provider, who: Who, query = 'from=login') {
  return agree(locationOf(await browser.post(`/auth/${provider}?${query}`)), who);
}

/** Signs in by a provider and follows every redirect; the last answer, and where it is. */
export async function enterBy(browser: Browser, provider: Provider, who: Who, query?: string) {
  return follow(browser, await sentBack(browser, provider, who, query));
}

export async function follow(browser: Browser, path: string) {
  let at = path;
  for (let hops = 0; hops < 10; hops += 1) {
    const answer = await browser.get(at);
    if (answer.status !== 302) return { at, status: answer.status, html: await answer.text(), answer };
    at = locationOf(answer);
  }
  throw new Error(`${path} leads in circles`);
}
