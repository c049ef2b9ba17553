import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A statement as it came, with its values as texts; null where it had none. */
export type Seen = { text: string; values: (string | null)[] };

/** Reads what a client says to Postgres, message by message; the first has no letter in front. */
function listener(hear: (type: string, body: Buffer) => void) {
  let left = Buffer.alloc(0);
  let isBegun = false;
  return (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    for (;;) {
      const head = isBegun ? 1 : 0;
      if (left.length < head + 4) return;
      const end = head + left.readInt32BE(head);
      if (left.length < end) return;
      if (isBegun) hear(String.fromCharCode(left[0]!), left.subarray(5, end));
      isBegun = true;
      left = left.subarray(end);
    }
  };
}

/** What stands in a message, one after the other. */
function reader(body: Buffer) {
  let at = 0;
  const next = (length: number) => {
    at += length;
    return body.subarray(at - length, at);
  };
  const int16 = () => next(2).readInt16BE();
  const text = () => {
    const found = next(body.indexOf(0, at) - at);
    next(1);
    return found.toString();
  };
  const value = () => {
    const length = next(4).readInt32BE();
    return length < 0 ? null : next(length).toString();
  };
  const many = <T>(each: () => T) => Array.from({ length: int16() }, each);
  return { int16, text, value, many };
}

/** The statements of one connection: sent whole, or parsed first and then bound to values. */
function statementsOf(tell: (seen: Seen) => void) {
  const parsed = new Map<string, string>();
  return listener((type, body) => {
    const { int16, text, value, many } = reader(body);
    if (type === 'Q') tell({ text: text(), values: [] });
    if (type === 'P') parsed.set(text(), text());
    if (type !== 'B') return;
    text();
    const statement = parsed.get(text())!;
    many(int16);
    tell({ text: statement, values: many(value) });
  });
}

/** A way to the database on which every statement is heard, of whatever process takes it. */
export async function listenOnTheWay(database: string) {
  const url = new URL(database);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let seen: Seen[] = [];
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(Number(port), hostname));
    keep(near).on(
      'data',
      statementsOf((statement) => seen.push(statement)),
    );
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  url.port = `${(server.address() as AddressInfo).port}`;
  /** What was heard since the last time. */
  const take = () => {
    const taken = seen;
    seen = [];
    return taken;
  };
  return { url: url.href, take };
}
