import { defineConfig } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser, USER_AGENT } from '#tests/browser.ts';

const { executablePath, env } = findBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/e2e/setup.ts',
  outputDir: 'test-results',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    userAgent: USER_AGENT,
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: BROWSER_FLAGS,
      env: { ...process.env, ...env } as Record<string, string>,
    },
  },
  projects: [
    { name: 'scripts on', use: { javaScriptEnabled: true } },
    { name: 'scripts off', use: { javaScriptEnabled: false } },
  ],
});
