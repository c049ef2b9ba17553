import { createDatabase } from '#app/db/client.ts';
import { finishConnecting, startConnecting } from '#app/domain/linkedin/connect.ts';
import { env } from '#app/env.ts';
import { makeDemo, publishStory } from '#scripts/demo/make-demo.ts';
import { DEMO_USER } from '#scripts/demo/people.ts';

/** With `--connect` the demo user is connected as a browser would do it, at the sandbox's consent page. */
const { db } = createDatabase(env().DATABASE_URL, 4);
try {
  const made = await makeDemo(db, new Date());
  if (made && process.argv.includes('--connect')) {
    const authUrl = new URL(await startConnecting(db, made, { sessionId: null }));
    const consent = new URLSearchParams([...authUrl.searchParams, ['decision', 'allow']]);
    consent.set('email', DEMO_USER.email);
    consent.set('name', DEMO_USER.name);
    const page = authUrl.origin + authUrl.pathname;
    const answer = await fetch(page, { method: 'POST', body: consent, redirect: 'manual' });
    const back = new URL(answer.headers.get('Location') ?? '').searchParams;
    const [state, code] = [back.get('state') ?? undefined, back.get('code') ?? undefined];
    await finishConnecting(db, { state, code, error: undefined }, null);
    await publishStory(db, made);
  }
} finally {
  await db.destroy();
}
