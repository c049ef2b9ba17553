import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { refuseCommon } from '#app/domain/accounts/password/password.ts';
import { webauthn } from '#app/domain/accounts/two-step/passkey-challenges.ts';
import { reencodeImage } from '#app/domain/platform/images.ts';
import { checkMail } from '#app/integrations/mail.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

/** Who first needs each of these meets a machine with no file descriptor left for it. */
const failing = new Set(['@zxcvbn-ts/language-common', '@simplewebauthn/server', 'nodemailer', 'sharp']);
registerHooks({
  resolve(name, context, next) {
    if (!failing.delete(name)) return next(name, context);
    throw Object.assign(new Error(`EMFILE: too many open files, open '${name}'`), { code: 'EMFILE' });
  },
});

const { smtpUrl } = await startOutside();
process.env.SMTP_URL = smtpUrl;

for (const [what, use] of Object.entries({
  'the words that no password may be': () => refuseCommon('a tide that turns late'),
  'what checks passkeys': () => webauthn(),
  'what speaks SMTP': () => checkMail(),
  'what draws pictures': () => reencodeImage(Buffer.from('none'), { side: 9, quality: 9 }),
}))
  test(`${what} can be loaded when it could not be before`, async () => {
    await assert.rejects(use(), { code: 'EMFILE' });
    await use();
  });
