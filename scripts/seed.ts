import { createDatabase } from '#app/db/client.ts';
import { askLinkedIn, connectMember, linkedInRedirectUri } from '#app/domain/linkedin/connect.ts';
import { randomToken } from '#app/domain/secrets.ts';
import { env } from '#app/env.ts';
import { authorizeUrl } from '#app/integrations/linkedin.ts';
import { makeDemo, publishStory } from '#scripts/demo/make-demo.ts';
import { DEMO_USER } from '#scripts/demo/people.ts';

/** With `--connect` the demo user is connected as a browser would do it, at the sandbox's consent page. */
const { db } = createDatabase(env().DATABASE_URL, 4);
try {
  const made = await makeDemo(db, new Date());
  if (made && process.argv.includes('--connect')) {
    const redirectUri = linkedInRedirectUri();
    const authUrl = new URL(authorizeUrl({ state: randomToken(), redirectUri }));
    const consent = new URLSearchParams([...authUrl.searchParams, ['decision', 'allow']]);
    consent.set('email', DEMO_USER.email);
    consent.set('name', DEMO_USER.name);
    const page = authUrl.origin + authUrl.pathname;
    const answer = await fetch(page, { method: 'POST', body: consent, redirect: 'manual' });
    const back = new URL(answer.headers.get('Location') ?? '').searchParams;
    await connectMember(db, made.userId, await askLinkedIn(db, back.get('code') ?? ''));
    await publishStory(db, made);
  }
} finally {
  await db.destroy();
}
