import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { selfSigned } from '#sandbox/server/certificate.ts';
import { startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const MAIL = {
  from: 'Tidepost <hello@tidepost.example>',
  to: 'New.Person@Example.com',
  subject: 'Your code',
  text: 'Your code is 048213.\nIt works for 10 minutes.',
  html: '<p>Your code is <b>048213</b>. Grüße</p><script>alert(1)</script>',
  headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
};

const send = (change: object = {}, url = sandbox.smtpUrl) =>
  createTransport(url).sendMail({ ...MAIL, ...change });

test('a mail arrives whole, is found by its address and shows its code in the inbox', async () => {
  const sent = await send();
  await send({ to: 'other@example.com', subject: 'No code', text: 'Order 1234567', html: '' });
  const { mails } = await sandbox.api('GET', 'mails?to=new.person@example.com');
  assert.equal(mails.length, 1);
  const [mail] = mails;
  assert.equal(mail.from, 'hello@tidepost.example');
  assert.equal(mail.subject, 'Your code');
  assert.match(mail.text, /048213/);
  assert.match(mail.html, /Grüße/);
  assert.equal(mail.messageId, sent.messageId);
  assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  const list = await (await fetch(`${sandbox.url}/inbox`)).text();
  assert.equal(list.match(/class="code"/g)?.length, 1);
  assert.match(list, /class="code"[^>]*>048213</);
  const page = await (await fetch(`${sandbox.url}/inbox/${mail.id}`)).text();
  assert.ok(page.includes('&lt;script&gt;') && !page.includes('<script>'));
  assert.match(page, /<iframe[^>]* sandbox=/);
  assert.equal((await fetch(`${sandbox.url}/inbox/none`)).status, 404);
});

const as = (who: string, url = sandbox.smtpUrl) => url.replace('://', `://${who}@`);
const arrived = async () => (await sandbox.api('GET', 'mails')).mails.length;

test('who signs in must know the password', async () => {
  await send({}, as('tidepost:tidepost-secret'));
  await assert.rejects(send({}, as('tidepost:secret')), { code: 'EAUTH', responseCode: 535 });
  assert.equal(await arrived(), 1);
  await sandbox.fault({ kind: 'mail.535', times: 1 });
  await assert.rejects(send({}, as('tidepost:tidepost-secret')), { responseCode: 535 });
});

test('STARTTLS is offered and TLS from the first byte works, with a certificate nobody has signed', async () => {
  await send({}, `${sandbox.smtpUrl}&requireTLS=true`);
  const strict = sandbox.smtpUrl.replace(/\?.*/, '');
  await assert.rejects(send({}, strict), /self-signed certificate/);
  await send({}, `${strict}?ignoreTLS=true`);
  await send({}, as('tidepost:tidepost-secret', sandbox.smtpsUrl));
  await assert.rejects(send({}, sandbox.smtpsUrl.replace(/\?.*/, '')), /self-signed certificate/);
  await sandbox.fault({ kind: 'mail.tls-broken', times: 1 });
  await assert.rejects(send());
  assert.equal(await arrived(), 3);
});

test('the certificate is for localhost and for now', () => {
  const { cert, key } = selfSigned();
  const certificate = new X509Certificate(cert);
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
  assert.ok(certificate.verify(certificate.publicKey));
  assert.ok(certificate.checkIP('127.0.0.1') && certificate.checkHost('localhost'));
  assert.ok(
    certificate.validFromDate.getTime() < Date.now() && certificate.validToDate.getTime() > Date.now(),
  );
});

for (const [kind, command, responseCode] of [
  ['mail.from-451', 'MAIL FROM', 451],
  ['mail.from-550', 'MAIL FROM', 550],
  ['mail.451', 'RCPT TO', 451],
  ['mail.550', 'RCPT TO', 550],
  ['mail.data-451', 'DATA', 451],
  ['mail.data-554', 'DATA', 554],
] as const) {
  test(`${kind} refuses at ${command}, and nothing arrives`, async () => {
    await sandbox.fault({ kind, times: 1 });
    await assert.rejects(send(), { command, responseCode });
    assert.equal(await arrived(), 0);
    await send();
    assert.equal(await arrived(), 1);
  });
}

for (const [kind, count] of [
  ['mail.data-hang-before', 0],
  ['mail.data-hang-after', 1],
] as const) {
  test(`${kind} leaves the sender without an answer and ${count} mails in the inbox`, async () => {
    await sandbox.fault({ kind, times: 1, match: 'new.person' });
    const url = `${sandbox.smtpUrl}&socketTimeout=300`;
    await assert.rejects(send({}, url), { code: 'ETIMEDOUT' });
    assert.equal(await arrived(), count);
  });
}

test('the mail server refuses for now, for good, or altogether', async () => {
  await sandbox.fault({ kind: 'mail.451', times: 1, match: 'new.person' });
  await send({ to: 'other@example.com' });
  await assert.rejects(send(), { responseCode: 451 });
  await sandbox.fault({ kind: 'mail.550', times: 1 });
  await assert.rejects(send(), { responseCode: 550 });
  await sandbox.fault({ kind: 'mail.down', times: 1 });
  await assert.rejects(send());
  await send();
  assert.equal((await sandbox.api('GET', 'mails')).mails.length, 2);
});
