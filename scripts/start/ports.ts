import { randomInt } from 'node:crypto';
import net from 'node:net';

/** The port that was bound for a moment, or why it could not be. */
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

/** Whether a program may listen on this port, of 127.0.0.1 and of all addresses. */
export async function isFree(port: number): Promise<boolean> {
  if (typeof (await bind(port, '127.0.0.1')) !== 'number') return false;
  const everywhere = await bind(port, '::');
  // A machine without IPv6 cannot say more than it did.
  return typeof everywhere === 'number' || everywhere.code !== 'EADDRINUSE';
}

/** Below those that an operating system gives to connections and to whoever asks for any port. */
const OURS = { from: 15_000, to: 32_000 };
const MAX_ATTEMPTS = 100;

/**
 * A port of 127.0.0.1 nobody listens on. Whoever asked binds it a moment later: one that the operating system chose
 * could be given to another program meanwhile.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const port = randomInt(OURS.from, OURS.to);
    if (await isFree(port)) return port;
  }
  throw new Error('This machine has no free port on 127.0.0.1.');
}
