import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { env } from '#app/env.ts';

const PEER = 'x-tidepost-peer';

/**
 * Notes on every request of this process which address its connection has, in a header that replaces
 * whatever the client sent under that name: the Request of a route has no socket to ask.
 */
export function notePeerAddresses(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER] = request.socket.remoteAddress ?? '';
  });
}

function claimedAddress(headers: Headers): string | null | undefined {
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

/**
 * The address a request comes from, as limits count it: IPv4 whole, IPv6 by /64, since one customer has a
 * whole /64. The connection's own unless TRUST_PROXY names a header; 'unknown' when there is neither.
 */
export function clientAddress(request: Request): string {
  const claimed = claimedAddress(request.headers)?.trim();
  const address = claimed && ipaddr.isValid(claimed) ? claimed : request.headers.get(PEER);
  if (!address || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
