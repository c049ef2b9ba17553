import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToStaticMarkup } from 'react-dom/server';
import createLucideIcon from '#app/ui/icon.ts';

test('an icon is not read out unless it is given a meaning', () => {
  const icon = createLucideIcon('<path d="M0 0"/>');
  assert.match(renderToStaticMarkup(icon({})), /aria-hidden="true".*<path d="M0 0"\/>/);
  assert.doesNotMatch(renderToStaticMarkup(icon({ 'aria-hidden': false })), /aria-hidden="true"/);
});

test('the styles draw an icon, but for a line of another width', () => {
  const icon = createLucideIcon('<path d="M0 0"/>');
  assert.match(renderToStaticMarkup(icon({ className: 'text-ink' })), /class="icon text-ink"/);
  assert.match(renderToStaticMarkup(icon({ strokeWidth: 3 })), /style="stroke-width:3"/);
});
