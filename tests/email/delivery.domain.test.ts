import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUnsubscribe } from '#app/domain/accounts/unsubscribe.ts';
import { choiceOf } from '#app/domain/email/choices.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { deliverMail } from '#app/domain/email/send.ts';
import type { MailKind } from '#app/domain/email/templates/templates.ts';
import { readTrackingParams } from '#app/domain/email/tracking/link-marks.ts';
import { env } from '#app/env.ts';
import { MAIL_EXAMPLES } from '#scripts/mails/examples.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
process.env.SMTP_URL = outside.smtpUrl;
// Where the examples lead.
process.env.APP_URL = new URL(MAIL_EXAMPLES.verifyEmail.url).origin;
const { db } = await testDatabase();

/** Sends the example of a kind, and answers it as the server of its reader got it. */
async function delivered(kind: MailKind) {
  const { userId, email } = await makeUser(db);
  await queueMail(db, { address: email, userId }, kind, MAIL_EXAMPLES[kind]);
  const { id } = await db
    .selectFrom('mails')
    .select('id')
    .where('toAddress', '=', email)
    .executeTakeFirstOrThrow();
  await deliverMail(db, id);
  const { mails } = await outside.mails(email);
  assert.equal(mails.length, 1);
  return { userId, ...mails[0]! };
}

for (const kind of Object.keys(MAIL_EXAMPLES) as MailKind[]) {
  const choice = choiceOf(kind);
  const what = choice ? 'can be ended with one press (RFC 8058)' : 'comes always, and offers no end';
  test(`${kind} ${what}`, async () => {
    const { userId, headers, text, html } = await delivered(kind);
    const [link, post] = [headers['list-unsubscribe'], headers['list-unsubscribe-post']];
    if (!choice) {
      assert.deepEqual([link, post], [undefined, undefined]);
      assert.doesNotMatch(text + html, /unsubscribe|Stop mails/i);
      return;
    }
    assert.equal(post, 'List-Unsubscribe=One-Click');
    const [, address] = /^<([^<>\s]+)>$/.exec(link!)!;
    assert.ok(address!.startsWith(`${env().APP_URL}/unsubscribe?`));
    const { from, key } = Object.fromEntries(new URL(address!).searchParams);
    assert.deepEqual(await openUnsubscribe(db, { from: from!, key: key! }), { userId, choice });
    assert.ok(text.includes(address!), 'who reads finds it, too');
  });
}

/** Where links lead that let somebody do something without signing in, or bear a key. */
const BEARS_KEY = /\/(?:unsubscribe|approval|verify-email|keep-account|auth|api)\b|[?&](?:key|token)=/;

for (const kind of Object.keys(MAIL_EXAMPLES) as MailKind[]) {
  test(`the links of ${kind} say which mail they are of, but those that bear a key`, async () => {
    const { headers: _, text, html } = await delivered(kind);
    const { address, at } = await lastMailed();
    const links = [...html.matchAll(/href="(https?:[^"]+)"/g)].map(([, url]) =>
      url!.replaceAll('&amp;', '&'),
    );
    const ours = links.filter((url) => url.startsWith(`${env().APP_URL}/`));
    if ('url' in MAIL_EXAMPLES[kind]) assert.ok(ours.length > 0);
    for (const url of ours) {
      const { searchParams } = new URL(url);
      if (BEARS_KEY.test(url)) {
        assert.ok(!url.includes('source=email') && !url.includes(encodeURIComponent(address)), url);
        continue;
      }
      const { email, source, campaign, ts } = Object.fromEntries(searchParams);
      assert.deepEqual(
        { email, source, campaign, ts: ts!.split('.')[0] },
        { email: address, source: 'email', campaign: kind, ts: String(at.getTime()) },
        url,
      );
      assert.ok(
        readTrackingParams({ email: address, campaign: kind, ts: ts! }),
        'and prove that we wrote them',
      );
      assert.ok(text.includes(url), 'who reads the plain text has the same link');
    }
    assert.ok(!html.replaceAll(/href="[^"]*"/g, '').includes('source=email'), 'nobody sees the marks');
  });
}

async function lastMailed() {
  const last = await db.selectFrom('mails').selectAll().orderBy('sentAt', 'desc').executeTakeFirst();
  return { address: last!.toAddress, at: last!.createdAt };
}
