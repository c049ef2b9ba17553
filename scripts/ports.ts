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

/** A port of 127.0.0.1 nobody listens on. */
export async function freePort(): Promise<number> {
  const port = await bind(0, '127.0.0.1');
  if (typeof port !== 'number') throw new Error('This machine has no free port on 127.0.0.1.');
  return port;
}
