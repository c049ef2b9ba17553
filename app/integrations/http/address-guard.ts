import { type LookupAddress, promises, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { env } from '#app/env.ts';

type Why = 'no_address' | 'not_secure' | 'has_password' | 'not_public';

/** An address that a user named is not asked. It never tells what answers inside a network. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly why: Why;

  constructor(why: Why) {
    super(`An address was refused: ${why}`);
    this.why = why;
  }
}

export type AddressRules = {
  /** Plain http and any port, besides https on port 443. */
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

const names = new promises.Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name servers itself. What the machine has for that holds one of a few threads of the process for as long as a
 * name server is silent: names that somebody chose would keep ours from being found.
 */
const lookupPublic: AddressRules['lookup'] = async (host, done) => {
  const asked = await Promise.allSettled([names.resolve4(host), names.resolve6(host)]);
  const found = asked.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  done(found.length > 0 ? null : new Error('No such name'), found);
};

/** The rules of this server: the public internet only, unless ALLOW_PRIVATE_IMAGES=1 opens everything. */
export const addressRules = (): AddressRules => ({
  allowsAnyPort: env().ALLOW_PRIVATE_IMAGES,
  isAllowed: env().ALLOW_PRIVATE_IMAGES ? ipaddr.isValid : isPublicAddress,
  timeoutMs: TIMEOUT_MS,
  lookup: env().ALLOW_PRIVATE_IMAGES ? (host, done) => resolve(host, { all: true }, done) : lookupPublic,
});

/**
 * The address, when it may be asked as it is written. What it resolves to is seen by `guardedConnector`. URL parsing turns
 * decimal, octal, hexadecimal and full-width forms of an IP address into the usual one. Throws AddressRefused.
 */
export function checkAddress(value: string, base: URL | undefined, rules: AddressRules): URL {
  if (!URL.canParse(value, base?.href)) throw new AddressRefused('no_address');
  const url = new URL(value, base?.href);
  const isSecure = url.protocol === 'https:' && url.port === '';
  if (!isSecure && !(rules.allowsAnyPort && /^https?:$/.test(url.protocol))) {
    throw new AddressRefused('not_secure');
  }
  if (url.username || url.password) throw new AddressRefused('has_password');
  const isThisMachine = /(?:^|\.)localhost\.?$/.test(url.hostname);
  const literal = isThisMachine ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !rules.isAllowed(literal)) throw new AddressRefused('not_public');
  return url;
}

/** Connects for undici, only where every address that a name has is allowed, and the one that was dialled as well. */
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

/** Rejects as soon as the signal says so: undici itself looks at it only once it has a connection. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}
