import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after } from 'node:test';
import { startSandbox } from '#sandbox/server/server.ts';
import { freePort } from '#scripts/start/ports.ts';

type MailIn = { messageId: string; headers: Record<string, string>; text: string; html: string };

/**
 * The sandbox on a port of its own until the file ends, with this process configured for it. To be called
 * before anything reads the configuration.
 */
export async function startOutside() {
  const { url, smtpUrl, close } = await startSandbox();
  after(close);
  process.env.LINKEDIN_API_URL = `${url}/linkedin-api`;
  process.env.OPENAI_BASE_URL = `${url}/openai/v1`;
  process.env.LINKEDIN_AUTH_URL = `${url}/linkedin`;
  process.env.GOOGLE_ISSUER_URL = `${url}/google`;
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${path}`);
    return answer.status === 204 ? undefined : await answer.json();
  };
  return {
    url,
    smtpUrl,
    fault: (kind: string, options: object = {}) => call('POST', 'faults', { kind, times: 1, ...options }),
    ledger: () => call('GET', 'ledger'),
    mails: (to: string) => call('GET', `mails?to=${encodeURIComponent(to)}`) as Promise<{ mails: MailIn[] }>,
    token: (email: string, scope?: string) =>
      call('POST', 'token', { email, scope }) as Promise<{ access_token: string; sub: string }>,
    revoke: (sub: string) => call('POST', `members/${sub}/revoke`),
  };
}

/** Registers the callbacks of a web process with the sandbox it is configured for, as an owner would in the portals. */
export async function registerCallback(authUrl: string, appUrl: string) {
  const clientId = process.env.LINKEDIN_CLIENT_ID || 'tidepost-local';
  const app = {
    clientId,
    redirectUris: ['linkedin', 'google'].map((each) => `${appUrl}/auth/${each}/callback`),
  };
  const url = `${new URL(authUrl).origin}/api/apps`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(app) });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to apps`);
}

/** A small web server until the file ends; answers its origin. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that treats each connection as `onSocket` says; answers host and port. */
export async function serveSockets(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port where nobody listens. */
export const closedPort = freePort;

/** The origin of a server that is not there. */
export const nobody = async () => `http://127.0.0.1:${await closedPort()}`;
