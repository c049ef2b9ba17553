import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/**
 * A way to the database that can be cut, or take connections and answer none of them, and be mended; or go silent
 * for the connections that are open.
 */
export async function wayTo(database: string) {
  const url = new URL(database);
  const { hostname, port } = url;
  const ends = new Set<Socket>();
  let isCut = false;
  let isHeld = false;
  let refused = 0;
  const keep = (socket: Socket) => {
    ends.add(socket.on('error', () => {}));
    socket.on('close', () => ends.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) {
      refused += 1;
      return void near.destroy();
    }
    if (isHeld) return;
    const far = keep(connect(Number(port), hostname));
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const reset = () => {
    for (const socket of ends) socket.resetAndDestroy();
  };
  const cut = () => {
    isCut = true;
    reset();
  };
  const hold = () => {
    isHeld = true;
    reset();
  };
  const silence = () => {
    for (const socket of ends) socket.unpipe().pause();
  };
  after(() => {
    cut();
    server.close();
  });
  url.port = `${(server.address() as AddressInfo).port}`;
  const mend = () => {
    isCut = false;
    isHeld = false;
  };
  /** So many connections were refused while it was cut. */
  const countRefused = () => refused;
  return { url: url.href, cut, hold, mend, silence, countRefused };
}
