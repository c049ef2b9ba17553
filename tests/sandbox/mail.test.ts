import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { startTestSandbox, type TestSandbox } from './start.ts';

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

test('any sign-in is accepted', async () => {
  await send({}, sandbox.smtpUrl.replace('smtp://', 'smtp://user:secret@'));
  assert.equal((await sandbox.api('GET', 'mails')).mails.length, 1);
});

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
