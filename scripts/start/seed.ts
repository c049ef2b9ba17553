import { createDatabase, type Db } from '#app/db/client.ts';
import { connectMember, fetchMember, linkedInRedirectUri } from '#app/domain/linkedin/connect/connect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { randomToken } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { authorizeUrl } from '#app/integrations/linkedin/oauth.ts';
import { makeDemo, publishStory } from '#scripts/demo/make-demo.ts';
import { makeSurroundings } from '#scripts/demo/surroundings.ts';

/** Connects somebody as a browser would do it, at the sandbox's consent page. */
async function connect(db: Db, { userId, email, name }: Actor): Promise<void> {
  const redirectUri = linkedInRedirectUri();
  const authUrl = new URL(authorizeUrl({ state: randomToken(), redirectUri }));
  const consent = new URLSearchParams([...authUrl.searchParams, ['decision', 'allow']]);
  consent.set('email', email);
  consent.set('name', name);
  const page = authUrl.origin + authUrl.pathname;
  const answer = await fetch(page, { method: 'POST', body: consent, redirect: 'manual' });
  const back = new URL(answer.headers.get('Location') ?? '').searchParams;
  await connectMember(db, userId, await fetchMember(db, back.get('code') ?? ''));
}

/** With `--connect` the people of the demo are connected, and what they published stands on the sandbox. */
const { db } = createDatabase(env().DATABASE_URL, 4);
try {
  const now = new Date();
  const made = await makeDemo(db, now);
  if (made) {
    const people = await makeSurroundings(db, made, now);
    for (const person of process.argv.includes('--connect') ? people : []) {
      await connect(db, person);
      await publishStory(db, person);
    }
  }
} finally {
  await db.destroy();
}
