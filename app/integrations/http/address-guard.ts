import { type LookupAddress, promises, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { env } from '#app/env.ts';

type RefusalReason = 'no_address' | 'not_secure' | 'has_password' | 'not_public';

/** A URL from a user that we don't request. Reveals nothing about what is inside a private network. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`An address was refused: ${reason}`);
    this.reason = reason;
  }
}

export type AddressRules = {
  /** Also allows plain http and other ports than 443. */
  allowsAnyPort: boolean;
  isAllowed: (address: string) => boolean;
  timeoutMs: number;
  lookup: (host: string, done: (error: Error | null, found: LookupAddress[]) => void) => void;
};

const TIMEOUT_MS = 10_000;
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address in any notation belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });

/**
 * Queries the name servers directly. `dns.lookup` would occupy one of the process's few threads while a name server is
 * silent, so names chosen by users could block our own lookups.
 */
const lookupPublic: AddressRules['lookup'] = async (host, done) => {
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = results.flatMap((result, index) =>
    result.status === 'fulfilled'
      ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  done(found.length > 0 ? null : new Error('No such name'), found);
};

/** Only the public internet, unless ALLOW_PRIVATE_IMAGES=1. */
export const addressRules = (): AddressRules => ({
  allowsAnyPort: env().ALLOW_PRIVATE_IMAGES,
  isAllowed: env().ALLOW_PRIVATE_IMAGES ? ipaddr.isValid : isPublicAddress,
  timeoutMs: TIMEOUT_MS,
  lookup: env().ALLOW_PRIVATE_IMAGES ? (host, done) => resolve(host, { all: true }, done) : lookupPublic,
});

/**
 * Parses a URL, and throws AddressRefused if its text alone breaks the rules; `guardedConnector` checks what it resolves to.
 * URL parsing normalizes decimal, octal, hexadecimal and full-width forms of an IP address.
 */
export function checkAddress(value: string, base: URL | undefined, rules: AddressRules): URL {
  if (!URL.canParse(value, base?.href)) throw new AddressRefused('no_address');
  const url = new URL(value, base?.href);
  const isSecure = url.protocol === 'https:' && url.port === '';
  if (!isSecure && !(rules.allowsAnyPort && /^https?:$/.test(url.protocol))) {
    throw new AddressRefused('not_secure');
  }
  if (url.username || url.password) throw new AddressRefused('has_password');
  const isLocalhost = /(?:^|\.)localhost\.?$/.test(url.hostname);
  const literal = isLocalhost ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !rules.isAllowed(literal)) throw new AddressRefused('not_public');
  return url;
}

/** Whether `checkAddress` accepts a URL. */
export function isAllowedUrl(url: string): boolean {
  try {
    return Boolean(checkAddress(url, undefined, addressRules()));
  } catch {
    return false;
  }
}

/** A connector for undici: connects only if all addresses of the host are allowed, and checks the connected one again. */
export function guardedConnector(rules: AddressRules): buildConnector.connector {
  const lookup: LookupFunction = (host, options, done) => {
    rules.lookup(host, (error, found) => {
      if (error) return done(error, []);
      if (found.length === 0 || !found.every(({ address }) => rules.isAllowed(address))) {
        return done(new AddressRefused('not_public'), []);
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
      return done(new AddressRefused('not_public'), null);
    });
}

/** Rejects as soon as the signal is aborted: undici itself checks it only once it has a connection. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}
