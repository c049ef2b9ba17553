import { type LookupAddress, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, request } from 'undici';
import { env } from '#app/env.ts';

const IMAGE_BYTES_MAX = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const REDIRECTS_MAX = 3;

/** Why a picture can't be had, in a sentence for the user. It never tells what answers inside a network. */
export class ImageRefused extends Error {
  override name = 'ImageRefused';
}

export type FetchedImage = { bytes: Buffer; contentType: 'image/jpeg' | 'image/png' | 'image/gif' };

export type ImageRules = {
  /** Plain http and any port, besides https on port 443. */
  allowsAnyPort: boolean;
  isAllowed: (address: string) => boolean;
  timeoutMs: number;
  /** Nobody waits for the picture any more; its reason is thrown. */
  givenUp?: AbortSignal;
  lookup: (host: string, done: (error: Error | null, found: LookupAddress[]) => void) => void;
};

const NOT_LOADED = 'The picture could not be loaded from its address';
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address in any notation belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** The rules of this server: the public internet only, unless ALLOW_PRIVATE_IMAGES=1 opens everything. */
export const imageRules = (): ImageRules => ({
  allowsAnyPort: env().ALLOW_PRIVATE_IMAGES,
  isAllowed: env().ALLOW_PRIVATE_IMAGES ? ipaddr.isValid : isPublicAddress,
  timeoutMs: TIMEOUT_MS,
  lookup: (host, done) => resolve(host, { all: true }, done),
});

/**
 * Fetches a picture a user named: at most 8 MiB, JPEG, PNG or GIF by its first bytes, 10 s and 3 redirects
 * in all. The address is checked as it is written, as it resolves and as it was dialled, for each redirect
 * again. Throws ImageRefused, or the reason of `givenUp`.
 */
export async function fetchImage(url: string, own: Partial<ImageRules> = {}): Promise<FetchedImage> {
  const rules = { ...imageRules(), ...own };
  const { givenUp, timeoutMs } = rules;
  givenUp?.throwIfAborted();
  const dispatcher = new Agent({ allowH2: false, connect: guardedConnector(rules) });
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = givenUp ? AbortSignal.any([timeout, givenUp]) : timeout;
  try {
    const bytes = await untilAborted(follow(url, rules, { dispatcher, signal }), signal);
    return { bytes, contentType: typeOf(bytes) };
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    if (givenUp?.aborted) throw givenUp.reason;
    if (signal.aborted) throw new ImageRefused('The picture took too long to load');
    throw new ImageRefused(NOT_LOADED, { cause: error });
  } finally {
    // Not waited for: it ends with the connections that are still being made.
    dispatcher.destroy().catch(() => {});
  }
}

/** Rejects as soon as the signal says so: undici itself looks at it only once it has a connection. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}

async function follow(
  start: string,
  rules: ImageRules,
  options: { dispatcher: Agent; signal: AbortSignal },
): Promise<Buffer> {
  let url = checkUrl(start, undefined, rules);
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const { statusCode, headers, body } = await request(url, { ...options, headers: { Accept: 'image/*' } });
    const { location } = headers;
    if (statusCode === 200) return readBytes(body, headers['content-length']);
    body.on('error', () => {}).destroy();
    const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string';
    if (!isRedirect) throw new ImageRefused(`${NOT_LOADED}: it answers ${statusCode}`);
    url = checkUrl(location, url, rules);
  }
  throw new ImageRefused('The address of the picture is redirected too often');
}

/** Whether an address is one that `fetchImage` would begin with. What it resolves to shows only then. */
export function canBeFetched(url: string, rules = imageRules()): boolean {
  try {
    return Boolean(checkUrl(url, undefined, rules));
  } catch {
    return false;
  }
}

/** URL parsing turns decimal, octal, hexadecimal and full-width forms of an address into the usual one. */
function checkUrl(value: string, base: URL | undefined, rules: ImageRules): URL {
  if (!URL.canParse(value, base?.href)) throw new ImageRefused('This is not the address of a picture');
  const url = new URL(value, base?.href);
  const isSecure = url.protocol === 'https:' && url.port === '';
  if (!isSecure && !(rules.allowsAnyPort && /^https?:$/.test(url.protocol))) {
    throw new ImageRefused('The address of the picture must start with https:// and name no port');
  }
  if (url.username || url.password) {
    throw new ImageRefused('The address of the picture must not hold a name or password');
  }
  const isThisMachine = /(?:^|\.)localhost\.?$/.test(url.hostname);
  const literal = isThisMachine ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !rules.isAllowed(literal)) throw new ImageRefused(NOT_LOADED);
  return url;
}

function guardedConnector(rules: ImageRules): buildConnector.connector {
  const lookup: LookupFunction = (host, options, done) => {
    rules.lookup(host, (error, found) => {
      if (error) return done(error, []);
      if (found.length === 0 || !found.every(({ address }) => rules.isAllowed(address))) {
        return done(new ImageRefused(NOT_LOADED), []);
      }
      const { address, family } = found[0]!;
      return options.all ? done(null, found) : done(null, address, family);
    });
  };
  const connect = buildConnector({ lookup, timeout: rules.timeoutMs, allowH2: false });
  return (options, done) =>
    connect(options, (error, socket) => {
      if (error) return done(error, null);
      if (rules.isAllowed(socket.remoteAddress ?? '')) return done(null, socket);
      socket.destroy();
      return done(new ImageRefused(NOT_LOADED), null);
    });
}

async function readBytes(
  body: AsyncIterable<Buffer>,
  announced: string | string[] | undefined,
): Promise<Buffer> {
  const tooLarge = () => new ImageRefused('The picture is larger than 8 MB');
  if (Number(announced) > IMAGE_BYTES_MAX) throw tooLarge();
  // Chunks that are put together cost twice as much; what nothing is written to costs nothing.
  const bytes = Buffer.allocUnsafeSlow(IMAGE_BYTES_MAX);
  let size = 0;
  for await (const chunk of body) {
    if (size + chunk.length > IMAGE_BYTES_MAX) throw tooLarge();
    size += chunk.copy(bytes, size);
  }
  return bytes.subarray(0, size);
}

function typeOf(bytes: Buffer): FetchedImage['contentType'] {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png';
  if (/^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1'))) return 'image/gif';
  throw new ImageRefused('What stands at this address is not a JPEG, PNG or GIF picture');
}
