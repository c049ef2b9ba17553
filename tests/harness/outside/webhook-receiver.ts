import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
type Event = { id: string; type: string; createdAt: string; data: Record<string, never> };

/** A server of a user's: keeps what it is sent, and answers 200 or as it is told. */
export async function startReceiver() {
  const received: Received[] = [];
  let answer = (response: ServerResponse, _nth: number): unknown => response.end('ok');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ path: request.url!, headers: request.headers, body });
      answer(response, received.length);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answers: (how: typeof answer) => {
      answer = how;
    },
    events: () => received.map(({ body }) => JSON.parse(body) as Event),
  };
}

/** What a receiver does, by the words of the documentation alone: how many of the signatures are of this secret. */
export function countSigned({ headers, body }: Received, secret: string): number {
  const parts = String(headers['tidepost-signature'])
    .split(',')
    .map((part) => part.split('='));
  const [, t] = parts.find(([name]) => name === 't')!;
  const ours = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  return parts.filter(([name, hex]) => name === 'v1' && timingSafeEqual(Buffer.from(hex!, 'hex'), ours))
    .length;
}
