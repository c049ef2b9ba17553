import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Link, StaticRouter } from 'react-router';
import { keptMarkupOf } from '#app/kept-parts.ts';
import { Kept, KeptMarkup, type MarkupOf } from '#app/ui/kept-markup.ts';

let rendered = 0;
function Places({ here, count }: { here: string; count: number }) {
  rendered += 1;
  const link = createElement(Link, { to: '/app/topics', 'aria-current': here === 'topics' }, 'Topics & more');
  return createElement('p', null, link, count, ' wait');
}

function pageWith(markupOf: MarkupOf | null, given: { here: string; count: number }): string {
  const part = createElement(Kept<typeof given>, { as: 'nav', className: 'side', of: Places, given });
  const page = createElement(StaticRouter, { location: '/app' }, part);
  return renderToString(createElement(KeptMarkup, { value: markupOf }, page));
}

test('what is kept of a part is what it would be otherwise, for each that it is given', () => {
  for (const given of [
    { here: 'topics', count: 1 },
    { here: 'topics', count: 11 },
    { here: '', count: 1 },
  ]) {
    const whole = pageWith(null, given);
    assert.match(whole, /^<nav class="side"><p><a .*Topics &amp; more<\/a>/);
    assert.equal(pageWith(keptMarkupOf, given), whole);
    assert.equal(pageWith(keptMarkupOf, given), whole);
  }
});

test('a part is rendered for the first who is given the same', () => {
  pageWith(keptMarkupOf, { here: 'once', count: 2 });
  rendered = 0;
  pageWith(keptMarkupOf, { here: 'once', count: 2 });
  assert.equal(rendered, 0);
  pageWith(keptMarkupOf, { here: 'once', count: 3 });
  assert.equal(rendered, 1);
});
