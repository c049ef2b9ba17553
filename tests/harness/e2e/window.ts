import { after } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { BROWSER_FLAGS, findBrowser } from './chromium.ts';

const opened: Browser[] = [];
// At the end of the file: a hook made inside another hook runs at once.
after(() => Promise.all(opened.map((browser) => browser.close())));

/** A browser with scripts in which the actor is signed in. It is closed when the test file ends. */
export async function windowOf(
  db: Db,
  actor: Actor,
  url: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { executablePath, env } = findBrowser();
  const all = { ...process.env, ...env } as Record<string, string>;
  const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS, env: all });
  opened.push(browser);
  const context = await browser.newContext(options);
  const { cookies } = await browserOf(db, actor, url);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  return context;
}
