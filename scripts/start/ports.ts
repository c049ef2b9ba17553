import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Resolves with the port, which was bound and is free again, or with the error. */
function bind(port: number, host: string): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => {
      const bound = (server.address() as net.AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}

/** Whether a program can listen on this port, both on 127.0.0.1 and on all addresses. */
export async function isFree(port: number): Promise<boolean> {
  if (typeof (await bind(port, '127.0.0.1')) !== 'number') return false;
  const onAll = await bind(port, '::');
  // Other errors are those of a machine without IPv6.
  return typeof onAll === 'number' || onAll.code !== 'EADDRINUSE';
}

/** Below the ephemeral ports of the operating systems. */
const PORTS = { from: 15_000, to: 32_000 };
const MAX_ATTEMPTS = 100;

/**
 * Returns an unused port of 127.0.0.1, which the caller binds a moment later. It is no ephemeral port, because the
 * operating system could give that to another program meanwhile.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error('This machine has no free port on 127.0.0.1.');
}
