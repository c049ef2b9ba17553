import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import pg from 'pg';

/** The type and the whole of a message of the protocol. */
type Message = { type: string; bytes: Buffer };

/** Cuts what comes in into messages; `onMessage` gets each when it is whole. The first of a client has no type. */
function reader(socket: Socket, hasTypes: boolean, onMessage: (message: Message) => void) {
  let rest = Buffer.alloc(0);
  let isTyped = hasTypes;
  const onData = (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isTyped ? 1 : 0;
      const length = rest.length >= head + 4 ? rest.readInt32BE(head) + head : Number.POSITIVE_INFINITY;
      if (rest.length < length) return;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = isTyped ? String.fromCharCode(bytes[0]!) : '';
      isTyped = true;
      onMessage({ type, bytes });
    }
  };
  socket.on('data', onData);
  return () => void socket.off('data', onData);
}

const message = (type: string, ...parts: (string | Buffer)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const GREETING = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('S', 'server_version\0', '17.0\0'),
  message('S', 'client_encoding\0', 'UTF8\0'),
  message('K', Buffer.alloc(8)),
  message('Z', 'I'),
]);

const textAt = (bytes: Buffer, at: number) => bytes.toString('utf8', at, bytes.indexOf(0, at));
/** The name of the prepared statement that a message makes or uses. */
const statementOf = ({ type, bytes }: Message) =>
  type === 'P' ? textAt(bytes, 5) : type === 'B' ? textAt(bytes, bytes.indexOf(0, 5) + 1) : '';

type Server = { socket: Socket; prepared: Map<string, Buffer> };

/** A connection to the database that is signed in; what the driver would do with its answers is taken away. */
async function signIn(url: string): Promise<Server> {
  const client = new pg.Client({ connectionString: url, application_name: 'pooler' });
  client.on('error', () => {});
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  return { socket: stream, prepared: new Map() };
}

/**
 * Stands between a process and the database as a pooler in transaction mode does: a connection is lent for one
 * transaction, so sessions, LISTEN and settings at the start are lost. Prepared statements are handed on.
 */
export async function poolerFor(database: string, size: number) {
  const free: Server[] = [];
  const all: Server[] = [];
  const waiting: ((server: Server) => void)[] = [];
  const open = async () => {
    const server = await signIn(database);
    all.push(server);
    return server;
  };
  for (let n = 0; n < size; n++) free.push(await open());
  const giveBack = (server: Server) => {
    const next = waiting.shift();
    if (next) next(server);
    else free.push(server);
  };
  const take = () => {
    const server = free.shift();
    return server ? Promise.resolve(server) : new Promise<Server>((resolve) => waiting.push(resolve));
  };
  let isClosed = false;
  let lent = 0;
  const clients = new Set<Socket>();
  const onClient = (client: Socket) => {
    clients.add(client.on('error', () => {}));
    const parsed = new Map<string, Buffer>();
    const queue: Message[] = [];
    let server: Server | undefined;
    let isTaking = false;
    /** What was asked and not answered whole: who pipelines asks again before that. */
    let owed = 0;
    const send = (one: Message) => {
      if (one.type === 'Q' || one.type === 'S') owed += 1;
      const name = statementOf(one);
      if (name) handOn(one, name, server!);
      server!.socket.write(one.bytes);
    };
    /** Answers to what was added here are not for the client. */
    let unheard = '';
    const handOn = (one: Message, name: string, { socket, prepared }: Server) => {
      if (one.type === 'P') parsed.set(name, Buffer.from(one.bytes));
      const known = parsed.get(name);
      const there = prepared.get(name);
      if (!known || (one.type === 'B' && there?.equals(known))) return;
      if (there) socket.write(message('C', 'S', `${name}\0`));
      if (there) unheard += '3';
      if (one.type === 'B') socket.write(known);
      if (one.type === 'B') unheard += '1';
      prepared.set(name, known);
    };
    const lend = async () => {
      isTaking = true;
      const borrowed = await take();
      isTaking = false;
      if (client.destroyed) return giveBack(borrowed);
      lent++;
      server = borrowed;
      const stop = reader(borrowed.socket, true, ({ type, bytes }) => {
        if (unheard.startsWith(type)) unheard = unheard.slice(1);
        else client.write(bytes);
        if (type === 'Z') owed -= 1;
        if (type !== 'Z' || owed > 0 || bytes[5] !== 'I'.charCodeAt(0)) return;
        stop();
        server = undefined;
        giveBack(borrowed);
        if (queue.length > 0) void lend();
      });
      for (const one of queue.splice(0)) send(one);
    };
    reader(client, false, (one) => {
      // What asks for TLS is as long as nothing else.
      if (one.type === '' && one.bytes.length === 8) return void client.write('N');
      if (one.type === '') return void client.write(GREETING);
      if (one.type === 'X') return void client.end();
      if (server) return send(one);
      queue.push(one);
      if (!isTaking) void lend();
    });
    // A transaction that is left open ends with its connection, and another one takes its place.
    client.on('close', async () => {
      clients.delete(client);
      if (!server || isClosed) return;
      server.socket.destroy();
      giveBack(await open());
    });
  };
  const listener = createServer(onClient);
  await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready));
  const close = () => {
    isClosed = true;
    listener.close();
    for (const socket of [...clients, ...all.map(({ socket }) => socket)]) socket.destroy();
  };
  after(close);
  const url = new URL(database);
  url.port = `${(listener.address() as AddressInfo).port}`;
  return { url: url.href, lent: () => lent, close };
}
