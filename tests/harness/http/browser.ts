/** A browser without scripts: keeps cookies, sends forms from our own pages, does not follow redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();
  private readonly origin: string;
  private readonly headers: Record<string, string>;

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin;
    this.headers = headers;
  }

  async get(path: string): Promise<Response> {
    return this.send(path, {});
  }

  async head(path: string): Promise<Response> {
    return this.send(path, { method: 'HEAD' });
  }

  async post(path: string, fields: Record<string, string> | string[][] = {}): Promise<Response> {
    const headers = { Origin: this.origin };
    return this.send(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  /** As `post`, of a form that may carry files. */
  async postFiles(path: string, form: FormData): Promise<Response> {
    return this.send(path, { method: 'POST', headers: { Origin: this.origin }, body: form });
  }

  /** The page at `path`, as text. */
  async read(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...this.headers, ...(init.headers as Record<string, string>), Cookie: cookie };
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return response;
  }
}

/** What the page itself says: notices lie above it, and are gone after a while. */
export const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)![0];

/** What a page says to who sees it, without its markup; React's marks between texts are left out. */
export const wordsOf = (html: string) =>
  html
    .replace(/<(script|style|noscript|svg)[\s\S]*?<\/\1>|<!--.*?-->|<wbr\/>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replace(/\s+/g, ' ')
    .replaceAll(' .', '.')
    .trim();

/** The six boxes of a code. */
export const boxes = (code: string) =>
  Object.fromEntries([...code].map((digit, index) => [`digit${index + 1}`, digit]));

/** A call of the API. */
export async function call(origin: string, method: string, path: string, body?: object, token?: string) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
