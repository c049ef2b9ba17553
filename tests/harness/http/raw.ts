import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';

/** What a server says on one connection to bytes as they are, until it ends the connection. */
export async function speak(url: string, pieces: Iterable<string | Buffer>): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const said = text(socket);
  said.catch(() => {});
  for (const piece of pieces) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  return said;
}

/** One request as bytes: its first line and headers, the connection closed after it. */
export const head = (line: string, headers: string[] = [], host = '127.0.0.1') =>
  [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n');

/** Status and headers of an answer as it stood on the wire, names in lower case. */
export function parseHead(answer: string): { status: number; headers: Map<string, string>; body: string } {
  const [top = '', ...rest] = answer.split('\r\n\r\n');
  const [line = '', ...lines] = top.split('\r\n');
  const headers = new Map(
    lines.map((each) => [each.split(':', 1)[0]!.toLowerCase(), each.replace(/^[^:]*: ?/, '')]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
