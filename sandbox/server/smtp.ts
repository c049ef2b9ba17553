import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { State } from '#sandbox/state.ts';
import { selfSigned } from './certificate.ts';
import type { FaultKind } from './fault-kinds.ts';
import { takeFault } from './faults.ts';

class SmtpRefusal extends Error {
  responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

const REFUSALS: Partial<Record<FaultKind, [code: number, message: string]>> = {
  'mail.down': [421, 'Service not available, closing transmission channel'],
  'mail.535': [535, '5.7.8 Authentication credentials invalid'],
  'mail.from-451': [451, '4.3.0 Requested action aborted: try again later'],
  'mail.from-550': [550, '5.7.1 Sender address rejected'],
  'mail.451': [451, 'Requested action aborted: try again later'],
  'mail.550': [550, 'Requested action not taken: mailbox unavailable'],
  'mail.data-451': [451, '4.3.0 Requested action aborted: local error in processing'],
  'mail.data-554': [554, '5.6.0 Transaction failed: message content rejected'],
};

/** The refusal of an active fault of these kinds, or null. */
function refusal(state: State, text: string, ...kinds: FaultKind[]): SmtpRefusal | null {
  const fault = takeFault(state, (kind) => kinds.includes(kind), text);
  const [code, message] = (fault && REFUSALS[fault.kind]) ?? [];
  return code && message ? new SmtpRefusal(code, message) : null;
}

async function storeMail(state: State, raw: Buffer, envelope: { from: string; to: string[] }) {
  const mail = await PostalMime.parse(raw);
  state.mails.push({
    id: randomUUID().slice(0, 8),
    to: envelope.to,
    from: mail.from?.address ?? envelope.from,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    at: new Date().toISOString(),
    messageId: mail.messageId ?? '',
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  });
}

/** Stores a mail, or applies an active fault. Returns false when no reply must be sent. */
async function receiveMail(
  state: State,
  raw: Buffer,
  envelope: { from: string; to: string[] },
): Promise<boolean> {
  const text = envelope.to.join(' ');
  const refused = refusal(state, text, 'mail.data-451', 'mail.data-554');
  if (refused) throw refused;
  if (takeFault(state, (kind) => kind === 'mail.data-hang-before', text)) return false;
  await storeMail(state, raw, envelope);
  return !takeFault(state, (kind) => kind === 'mail.data-hang-after', text);
}

/** Signing in is optional; the password of any user is `<user>-secret`. */
function options(state: State): SMTPServerOptions {
  return {
    ...selfSigned(),
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 200,
    onAuth({ username = '', password }, _session, done) {
      const refused = refusal(state, username, 'mail.535');
      if (refused || password !== `${username}-secret`) {
        return done(refused ?? new SmtpRefusal(535, '5.7.8 Authentication credentials invalid'));
      }
      done(null, { user: username });
    },
    onConnect: (_session, done) => done(refusal(state, '', 'mail.down')),
    onSecure(socket, _session, done) {
      if (takeFault(state, (kind) => kind === 'mail.tls-broken', '')) return void socket.destroy();
      done();
    },
    onMailFrom: ({ address }, _session, done) =>
      done(refusal(state, address, 'mail.from-451', 'mail.from-550')),
    onRcptTo: ({ address }, _session, done) => done(refusal(state, address, 'mail.451', 'mail.550')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', done);
      stream.on('end', () => {
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        const to = session.envelope.rcptTo.map(({ address }) => address);
        receiveMail(state, Buffer.concat(chunks), { from, to }).then((replies) => replies && done(), done);
      });
    },
  };
}

/** `secure`: TLS from the start of the connection, otherwise STARTTLS. */
export async function startSmtp(state: State, host: string, port: number, { secure = false } = {}) {
  const server = new SMTPServer({ ...options(state), secure });
  server.on('error', (error: Error) => console.error(`sandbox mail: ${error.message}`));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.server.address() as AddressInfo;
  return { port: address.port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
