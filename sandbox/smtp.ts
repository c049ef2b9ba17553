import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { strike } from './faults.ts';
import type { State } from './state.ts';

class SmtpRefusal extends Error {
  responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

async function keep(state: State, raw: Buffer, envelope: { from: string; to: string[] }) {
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

/** Listens for mail; anybody may send, with any sign-in or none. Resolves to the port and a stop function. */
export async function startSmtp(state: State, host: string, port: number) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 200,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onConnect(_session, done) {
      const down = strike(state, (kind) => kind === 'mail.down', '');
      done(down ? new SmtpRefusal(421, 'Service not available, closing transmission channel') : null);
    },
    onRcptTo(address, _session, done) {
      const fault = strike(state, (kind) => kind === 'mail.451' || kind === 'mail.550', address.address);
      if (fault?.kind === 'mail.451')
        return done(new SmtpRefusal(451, 'Requested action aborted: try again later'));
      if (fault) return done(new SmtpRefusal(550, 'Requested action not taken: mailbox unavailable'));
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', done);
      stream.on('end', () => {
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        const to = session.envelope.rcptTo.map(({ address }) => address);
        keep(state, Buffer.concat(chunks), { from, to }).then(() => done(), done);
      });
    },
  });
  server.on('error', (error: Error) => console.error(`sandbox mail: ${error.message}`));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.server.address() as AddressInfo;
  return { port: address.port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
