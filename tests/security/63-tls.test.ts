import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import { sendMail } from '#app/integrations/mail.ts';
import { selfSigned } from '#sandbox/server/certificate.ts';
import { serveSockets, startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
process.env.SMTP_URL = outside.smtpUrl.replace(/\?.*/, '');

test('a mail goes to no server whose certificate nobody has signed', async () => {
  const to = 'ada@people.example';
  const mail = {
    id: '1',
    to,
    subject: 'Hello',
    text: 'Your code is 123456',
    html: '<p>Your code is 123456</p>',
  };
  await assert.rejects(sendMail(mail), /self-signed certificate/);
  assert.deepEqual((await outside.mails(to)).mails, []);
});

for (const mode of ['verify-full', 'require']) {
  test(`with sslmode=${mode} no database is spoken to whose certificate nobody has signed`, async () => {
    const heard: string[] = [];
    // Postgres is asked for TLS in clear, says yes, and speaks it from then on.
    const host = await serveSockets((socket) => {
      socket.once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, ...selfSigned() });
        secure.on('error', () => {}).on('data', (data) => heard.push(String(data)));
      });
    });
    const { db } = createDatabase(`postgres://tidepost:word@${host}/tidepost?sslmode=${mode}`, 1);
    await assert.rejects(sql`select 1`.execute(db), /self-signed certificate/);
    assert.deepEqual(heard, []);
    await db.destroy();
  });
}
