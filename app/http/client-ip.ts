import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { env } from '#app/env.ts';

/** What is asked: a request, or what has its headers only. */
export type WithHeaders = { headers: Pick<Headers, 'get'> };

const PEER = 'x-tidepost-peer';

/**
 * Notes on every request of this process which address its connection has, in a header that replaces
 * whatever the client sent under that name: the Request of a route has no socket to ask.
 */
export function recordPeerAddresses(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER] = request.socket.remoteAddress ?? '';
  });
}

function claimedAddress(headers: WithHeaders['headers']): string | null | undefined {
  switch (env().TRUST_PROXY) {
    case 'fly':
      return headers.get('Fly-Client-IP');
    case 'x-forwarded-for':
      // Earlier entries are what the client wrote; the last one is the trusted proxy's.
      return headers.get('X-Forwarded-For')?.split(',').at(-1);
    default:
      return null;
  }
}

/** An address that is written as it counts: most of them are, and to take one apart costs more than all else that is done with it. */
function plainAddress({ headers }: WithHeaders): string | undefined {
  const plain = claimedAddress(headers)?.trim() || headers.get(PEER);
  return plain && isIPv4(plain) ? plain : undefined;
}

/** The address of who asks: the connection's own unless TRUST_PROXY names a header. Undefined when there is none. */
function clientIp(request: WithHeaders): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const claimed = claimedAddress(request.headers)?.trim();
  const address = claimed && ipaddr.isValid(claimed) ? claimed : request.headers.get(PEER);
  return address && ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function countedAs(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): string {
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/**
 * The address a request comes from, as limits count it: IPv4 whole, IPv6 by /64, since one customer has a
 * whole /64; 'unknown' when there is none.
 */
export const clientAddress = (request: WithHeaders): string =>
  plainAddress(request) ?? countedAs(clientIp(request));

/** The network a request comes from, as sessions keep it: too large to be one person's. '' when it is not known. */
export function clientNetwork(request: Request): string {
  const address = clientIp(request);
  if (!address) return '';
  return address.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`;
}

/**
 * The address a request comes from as limits count it, and as a whole, for what keeps it no longer than it has to: undefined
 * when there is none.
 */
export function clientAddresses(request: WithHeaders): { counted: string; whole: string | undefined } {
  const plain = plainAddress(request);
  if (plain) return { counted: plain, whole: plain };
  const address = clientIp(request);
  return { counted: countedAs(address), whole: address?.toString().replace(/%.*/, '') };
}
