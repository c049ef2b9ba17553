import { defineConfig } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser, USER_AGENT } from '#tests/harness/e2e/chromium.ts';

const { executablePath, env } = findBrowser();

export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/harness/e2e/setup.ts',
  outputDir: 'test-results',
  // Two of them mostly wait for the minute in which a post is written or published.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Long enough for a machine that does much else: nothing waits longer than it has to.
  timeout: 240_000,
  expect: { timeout: 40_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    userAgent: USER_AGENT,
    actionTimeout: 40_000,
    navigationTimeout: 60_000,
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: BROWSER_FLAGS,
      env: { ...process.env, ...env } as Record<string, string>,
    },
  },
  projects: [
    {
      name: 'scripts off',
      // What is only about scripts, and what needs them to look at pages, says so in its name.
      testIgnore: '**/*.scripts.e2e.ts',
      use: { javaScriptEnabled: false },
    },
    { name: 'scripts on', use: { javaScriptEnabled: true } },
  ],
});
