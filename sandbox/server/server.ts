import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigningKey, type SigningKey } from '#sandbox/google/keys.ts';
import { googleSite } from '#sandbox/google/site.ts';
import { linkedinApi } from '#sandbox/linkedin/api.ts';
import { withFailures } from '#sandbox/linkedin/doors.ts';
import { setCallHeaders } from '#sandbox/linkedin/headers.ts';
import { receiveUpload } from '#sandbox/linkedin/images.ts';
import { decideConsent, showConsent, signOut } from '#sandbox/linkedin/oauth.ts';
import { discovery, introspect, issueToken, revoke } from '#sandbox/linkedin/oauth-token.ts';
import { openai } from '#sandbox/openai/routes.ts';
import { showPages } from '#sandbox/pages/routes.ts';
import { createState, type State } from '#sandbox/state.ts';
import { testApi } from '#sandbox/test-api.ts';
import {
  type Exchange,
  exchange,
  readBytes,
  readForm,
  readText,
  sendEmpty,
  sendHtml,
  sendJson,
  ThrownResponse,
} from './http.ts';
import { startSmtp } from './smtp.ts';

/** The mail servers have a self-signed certificate. */
const NO_CERTIFICATE_CHECK = '?tls.rejectUnauthorized=false';

export type Sandbox = { url: string; smtpUrl: string; smtpsUrl: string; close(): Promise<void> };

async function linkedinSite(state: State, key: SigningKey, call: Exchange) {
  const path = call.rawPath.slice('/linkedin'.length);
  switch (`${call.req.method} ${path}`) {
    case 'GET /oauth/v2/authorization':
      return showConsent(state, call);
    case 'POST /oauth/v2/authorization':
      return decideConsent(state, call, await readForm(call.req));
    case 'POST /oauth/v2/accessToken':
      return exchangeToken(state, key, call);
    case 'POST /oauth/v2/introspectToken':
      return introspect(state, call, await readForm(call.req));
    case 'POST /oauth/v2/revoke':
      return revoke(state, call, await readForm(call.req));
    case 'GET /logout':
      return signOut(call);
    case 'GET /oauth/.well-known/openid-configuration':
      return discovery(call);
    case 'GET /oauth/openid/jwks':
      return sendJson(call.res, 200, key.jwks);
    default:
      return showPages(state, call);
  }
}

async function exchangeToken(state: State, key: SigningKey, call: Exchange) {
  const raw = await readText(call.req);
  const code = new URLSearchParams(raw).get('code') ?? '';
  const matchText = `${raw} ${state.codes.get(code)?.member.email ?? ''}`;
  await withFailures(state, call, 'token', matchText, (inner) => issueToken(state, key, inner, raw));
}

async function handleUpload(state: State, call: Exchange, id: string) {
  const bytes = await readBytes(call.req);
  await withFailures(state, call, 'upload', '', (inner) => receiveUpload(state, inner, id, bytes));
}

async function route(state: State, key: SigningKey, call: Exchange) {
  const [, area = '', id = ''] = call.rawPath.split('/');
  if (area.startsWith('linkedin')) setCallHeaders(call.res);
  checkEncoding(call, area);
  if (area === 'linkedin') return linkedinSite(state, key, call);
  if (area === 'google') return googleSite(state, key, call);
  if (area === 'linkedin-api') return linkedinApi(state, call);
  if (area === 'linkedin-upload' && call.req.method === 'PUT') return handleUpload(state, call, id);
  if (area === 'linkedin-followed') {
    state.followed += 1;
    return sendEmpty(call.res, 200);
  }
  if (area === 'openai') return openai(state, call);
  if (area === 'api') return testApi(state, call);
  return showPages(state, call);
}

/** Throws for a path with an invalid percent-encoding. */
function checkEncoding({ rawPath }: Exchange, area: string) {
  try {
    decodeURIComponent(rawPath);
  } catch {
    const message = 'Syntax exception in path variables';
    throw new ThrownResponse(
      400,
      area === 'linkedin-api' ? { status: 400, code: 'ILLEGAL_ARGUMENT', message } : { error: message },
    );
  }
}

async function handle(state: State, key: SigningKey, req: IncomingMessage, res: ServerResponse) {
  try {
    await route(state, key, exchange(req, res));
  } catch (error) {
    if (res.destroyed) return;
    if (!(error instanceof ThrownResponse)) {
      console.error(error);
      return sendJson(res, 500, { error: 'The sandbox itself failed; see its log.' });
    }
    if (error.body === undefined) return sendEmpty(res, error.status, error.headers);
    if (typeof error.body === 'string') return sendHtml(res, error.status, error.body, error.headers);
    sendJson(res, error.status, error.body, error.headers);
  }
}

/** Starts the sandbox; port 0 chooses a free one. `close` ends all connections and frees the ports. */
export async function startSandbox(
  options: { port?: number; smtpPort?: number; smtpsPort?: number; host?: string } = {},
): Promise<Sandbox> {
  const { port = 0, smtpPort = 0, smtpsPort = 0, host = '127.0.0.1' } = options;
  const state = createState();
  const key = await createSigningKey('sandbox');
  const web = createServer(
    { keepAliveTimeout: 20_000, maxHeaderSize: 64 * 1024 },
    (req, res) => void handle(state, key, req, res),
  );
  await new Promise<void>((resolve, reject) => {
    web.once('error', reject);
    web.listen(port, host, resolve);
  });
  const stops: (() => Promise<void>)[] = [];
  const mail = async (port: number, secure: boolean) => {
    const server = await startSmtp(state, host, port, { secure });
    stops.push(server.stop);
    return server.port;
  };
  const stopAll = async () => {
    const closed = new Promise<void>((resolve) => web.close(() => resolve()));
    web.closeAllConnections();
    await Promise.all([closed, ...stops.map((stop) => stop())]);
  };
  const [smtp, smtps] = await Promise.all([mail(smtpPort, false), mail(smtpsPort, true)]).catch(
    async (error: unknown) => {
      await stopAll();
      throw error;
    },
  );
  const publicHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return {
    url: `http://${publicHost}:${(web.address() as AddressInfo).port}`,
    smtpUrl: `smtp://${publicHost}:${smtp}${NO_CERTIFICATE_CHECK}`,
    smtpsUrl: `smtps://${publicHost}:${smtps}${NO_CERTIFICATE_CHECK}`,
    close: stopAll,
  };
}
