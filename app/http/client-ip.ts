import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { env } from '#app/env.ts';

export type WithHeaders = { headers: Pick<Headers, 'get'> };

const PEER_HEADER = 'x-tidepost-peer';

/**
 * Writes the address of each connection into a request header, because the Request of a route has no socket. Replaces
 * what the client sent under that name.
 */
export function recordPeerAddresses(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? '';
  });
}

function proxyHeader(headers: WithHeaders['headers']): string | null | undefined {
  switch (env().TRUST_PROXY) {
    case 'fly':
      return headers.get('Fly-Client-IP');
    case 'x-forwarded-for':
      // The trusted proxy adds the last entry; the client can write the earlier ones.
      return headers.get('X-Forwarded-For')?.split(',').at(-1);
    default:
      return null;
  }
}

/** The address if it is a plain IPv4 one. Most are, and parsing costs more than everything else done here. */
function plainIpv4({ headers }: WithHeaders): string | undefined {
  const address = proxyHeader(headers)?.trim() || headers.get(PEER_HEADER);
  return address && isIPv4(address) ? address : undefined;
}

/** The client's address: that of the connection, unless TRUST_PROXY names a header. */
function clientIp(request: WithHeaders): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const forwarded = proxyHeader(request.headers)?.trim();
  const address = forwarded && ipaddr.isValid(forwarded) ? forwarded : request.headers.get(PEER_HEADER);
  return address && ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function rateLimitKey(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): string {
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The key of a client's address for rate limits: an IPv4 address, or an IPv6 /64, which one customer usually has. */
export const clientAddress = (request: WithHeaders): string =>
  plainIpv4(request) ?? rateLimitKey(clientIp(request));

/** The /24 or /48 of a client's address, which identifies no single user. '' when unknown. */
export function clientNetwork(request: Request): string {
  const address = clientIp(request);
  if (!address) return '';
  return address.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`;
}

/** Returns `clientAddress` and the full address. Store the full address no longer than necessary. */
export function clientAddresses(request: WithHeaders): { key: string; address: string | undefined } {
  const plain = plainIpv4(request);
  if (plain) return { key: plain, address: plain };
  const address = clientIp(request);
  return { key: rateLimitKey(address), address: address?.toString().replace(/%.*/, '') };
}
