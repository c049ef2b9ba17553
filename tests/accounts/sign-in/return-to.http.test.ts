import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOurPage } from '#app/http/session/return-to-cookie.ts';
import { filled, SHOWN_PATHS } from '#tests/harness/http/route-paths.ts';

/** Where everybody goes who wanted nothing, and steps of something that was begun before. */
const NOT_WANTED = [
  '/app/dashboard',
  '/app/confirm',
  '/app/account/authenticator-app',
  '/app/account/recovery-codes',
  '/app/account/passkeys/new',
  '/app/account/remove-factor',
];

test('who has to sign in first comes to the page that they wanted, whichever it is', () => {
  const pages = SHOWN_PATHS.filter((path) => !NOT_WANTED.includes(path)).map((path) => filled(path));
  assert.ok(pages.length > 15);
  assert.deepEqual(
    pages.filter((page) => !isOurPage(page) || !isOurPage(`${page}?tab=all`)),
    [],
  );
});
