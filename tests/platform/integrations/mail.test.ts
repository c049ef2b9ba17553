import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { MailRefused, sendMail } from '#app/integrations/mail.ts';
import { serveSockets } from '#tests/harness/outside/sandbox.ts';

let refusing = '';
/** As much SMTP as it takes to refuse one command for good. */
function speak(socket: Socket) {
  socket.write('220 ready\r\n');
  socket.on('data', (data) => {
    const line = String(data);
    if (refusing && line.startsWith(refusing)) socket.write('550 no\r\n');
    else if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n');
    else if (line.startsWith('AUTH')) socket.write('235 yes\r\n');
    else if (line.startsWith('DATA')) socket.write('354 go on\r\n');
    else socket.write('250 yes\r\n');
  });
}
process.env.SMTP_URL = `smtp://user:word@${await serveSockets(speak)}`;
const mail = { id: '1', to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

test('a recipient who is refused for good is told apart', async () => {
  refusing = 'RCPT TO';
  await assert.rejects(sendMail(mail), MailRefused);
});

for (const command of ['AUTH', 'MAIL FROM']) {
  test(`a server that refuses our ${command} may take the mail when the operator has mended it`, async () => {
    refusing = command;
    await assert.rejects(sendMail(mail), (error) => !(error instanceof MailRefused));
  });
}
