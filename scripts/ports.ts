import net from 'node:net';

function bind(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const bound = (server.address() as net.AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}

/** Whether a program may still listen on this port of 127.0.0.1. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await bind(port, host)) !== undefined;
}

/** A port of 127.0.0.1 nobody listens on. */
export async function freePort(): Promise<number> {
  const port = await bind(0, '127.0.0.1');
  if (!port) throw new Error('This machine has no free port on 127.0.0.1.');
  return port;
}
