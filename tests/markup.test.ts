import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOnePiece, markup } from '#app/ui/markup.ts';

test('what is put into markup stands there as text, also in the quotes of an attribute', () => {
  const name = `<b onclick="x">Ann's & co</b>`;
  const safe = '&lt;b onclick=&quot;x&quot;&gt;Ann&#39;s &amp; co&lt;/b&gt;';
  assert.equal(markup`<a title="${name}">${name}</a>`.text, `<a title="${safe}">${safe}</a>`);
});

test('markup in markup stays markup, and what is not there leaves nothing', () => {
  const rows = ['1 < 2', '3'].map((text) => markup`<li>${text}</li>`);
  const { text } = markup`<ol>${rows}</ol>${false}${null}${undefined}${0}`;
  assert.equal(text, '<ol><li>1 &lt; 2</li><li>3</li></ol>0');
});

test('in one piece it is the same text', () => {
  const rows = Array.from({ length: 100 }, (_, n) => markup`<li>${n}</li>`);
  assert.equal(inOnePiece(markup`<ol>${rows}</ol>`), `<ol>${rows.map(({ text }) => text).join('')}</ol>`);
  assert.equal(inOnePiece(markup``), '');
});
