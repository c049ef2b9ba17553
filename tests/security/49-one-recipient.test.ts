import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { SignUpInput } from '#app/domain/accounts/schema.ts';
import { sendMail } from '#app/integrations/mail.ts';
import { serveSockets } from '#tests/harness/outside/sandbox.ts';

/** What was said to the mail server: whom a mail goes to, and the mail itself. */
let recipients: string[] = [];
let written = '';

/** As much SMTP as it takes to be handed a mail. */
function speak(socket: Socket) {
  let isBody = false;
  socket.write('220 ready\r\n');
  socket.on('data', (data) => {
    const text = String(data);
    if (isBody) {
      written += text;
      if (!/\r\n\.\r\n$/.test(written)) return;
      isBody = false;
      socket.write('250 taken\r\n');
    } else if (text.startsWith('EHLO')) socket.write('250 here\r\n');
    else if (text.startsWith('DATA')) {
      isBody = true;
      socket.write('354 go on\r\n');
    } else {
      if (text.startsWith('RCPT TO')) recipients.push(text.trim());
      socket.write('250 yes\r\n');
    }
  });
}
process.env.SMTP_URL = `smtp://${await serveSockets(speak)}?ignoreTLS=true`;

const HOSTILE = [
  'ada@example.com,evil@evil.example',
  'ada@example.com;evil@evil.example',
  'ada@example.com evil@evil.example',
  'ada@example.com\r\nBcc: evil@evil.example',
  'ada@example.com\nRCPT TO:<evil@evil.example>',
  'Friends: ada@example.com, evil@evil.example;',
  'Ada <ada@example.com>, <evil@evil.example>',
  '"ada@example.com,evil"@evil.example',
  'ada@example.com>\r\nRCPT TO:<evil@evil.example',
  'ada@example.com\0evil@evil.example',
];

test('49 no form takes more than one plain address for an address', () => {
  const typed = { name: 'Ada', password: 'correct horse battery', timeZone: 'UTC' };
  assert.equal(SignUpInput.safeParse({ ...typed, email: 'ada@example.com' }).success, true);
  for (const email of HOSTILE) {
    assert.equal(SignUpInput.safeParse({ ...typed, email }).success, false, email);
  }
});

test('49 also of what no form would take a mail goes to one recipient at most, and gets no line of a stranger', async () => {
  for (const to of HOSTILE) {
    recipients = [];
    written = '';
    const subject = 'Hello\r\nBcc: evil@evil.example';
    await sendMail({ id: 'a', to, subject, text: 'Hello', html: '<p>Hello</p>' }).catch(() => {});
    assert.ok(recipients.length <= 1, `${to}: ${recipients.join()}`);
    assert.ok(!recipients.some((line) => /<evil@evil\.example>/.test(line)), `${to}: ${recipients.join()}`);
    assert.doesNotMatch(written.split('\r\n\r\n')[0]!, /^bcc:/im);
  }
});
