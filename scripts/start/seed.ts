import { createDatabase, type Db } from '#app/db/client.ts';
import { connectMember, fetchMember, linkedInRedirectUri } from '#app/domain/linkedin/connect/connect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { randomToken } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { authorizeUrl } from '#app/integrations/linkedin/oauth.ts';
import { makeDemo, publishStory } from '#scripts/demo/make-demo.ts';
import { makeSurroundings } from '#scripts/demo/surroundings.ts';

/** Connects a user with the sandbox by the requests that a browser would send. */
async function connect(db: Db, { userId, email, name }: Actor): Promise<void> {
  const redirectUri = linkedInRedirectUri();
  const authUrl = new URL(authorizeUrl({ state: randomToken(), redirectUri }));
  const consent = new URLSearchParams([...authUrl.searchParams, ['decision', 'allow']]);
  consent.set('email', email);
  consent.set('name', name);
  const page = authUrl.origin + authUrl.pathname;
  const response = await fetch(page, { method: 'POST', body: consent, redirect: 'manual' });
  const callback = new URL(response.headers.get('Location') ?? '').searchParams;
  await connectMember(db, userId, await fetchMember(db, callback.get('code') ?? ''));
}

/** With `--connect` the demo users are connected to the sandbox, and their published posts are sent to it. */
const { db } = createDatabase(env().DATABASE_URL, 4);
try {
  const now = new Date();
  const demo = await makeDemo(db, now);
  if (demo) {
    const users = await makeSurroundings(db, demo, now);
    for (const user of process.argv.includes('--connect') ? users : []) {
      await connect(db, user);
      await publishStory(db, user);
    }
  }
} finally {
  await db.destroy();
}
