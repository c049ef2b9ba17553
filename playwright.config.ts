import { defineConfig } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser, USER_AGENT } from '#tests/browser.ts';

const { executablePath, env } = findBrowser();

/** What is only about scripts, and what needs them to look at pages. */
const NEEDS_SCRIPTS = [
  'alt-text-meanwhile.spec.ts',
  'at-once.spec.ts',
  'calendar-hands.spec.ts',
  'carousel.spec.ts',
  'connection.spec.ts',
  'crossing-answers.spec.ts',
  'editor.spec.ts',
  'failures.spec.ts',
  'first-load.spec.ts',
  'focus.spec.ts',
  'help-dialog.spec.ts',
  'late-scripts.spec.ts',
  'layout.spec.ts',
  'long-forms.spec.ts',
  'mails.spec.ts',
  'oauth-callback.spec.ts',
  'otp-boxes.spec.ts',
  'passkeys.spec.ts',
  'screens.spec.ts',
  'settings-elsewhere.spec.ts',
  'unanswered.spec.ts',
  'visits.spec.ts',
];

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/e2e/setup.ts',
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
      testIgnore: NEEDS_SCRIPTS,
      use: { javaScriptEnabled: false },
    },
    { name: 'scripts on', use: { javaScriptEnabled: true } },
  ],
});
