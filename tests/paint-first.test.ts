import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintFirst } from '#app/http/paint-first.ts';

const FONT = '<link nonce="n" rel="preload" as="font" href="/a.woff2"/>';
const SCRIPT = '<link rel="modulepreload" href="/a.js" nonce="n"/>';
const STYLE = '<link rel="stylesheet" href="/a.css"/>';
const page = (head: string, body: string) => `<html><head>${head}</head><body>${body}</body></html>`;
const painted = (html: string) => paintFirst(html, 'n').toString();

test('what is fetched ahead moves behind the page, each once, and the styles stay', () => {
  const text = '<p>&lt;link rel="preload"&gt;</p><script>import "/a.js"</script>';
  const html = page(`<title>A</title>${FONT}${SCRIPT}${STYLE}${SCRIPT}`, text);
  const append = "document.body.append(document.getElementById('ahead').content)";
  const later = `<template id="ahead">${FONT}${SCRIPT}</template><script nonce="n">${append}</script>`;
  assert.equal(painted(html), page(`<title>A</title>${STYLE}`, text + later));
});

test('what runs at the end of the page stands before what is fetched ahead', () => {
  const [html, script] = [page(`<title>A</title>${SCRIPT}`, '<p>“Text”</p>'), '<script>1</script>'];
  assert.match(
    paintFirst(html, 'n', script).toString(),
    /<p>“Text”<\/p><script>1<\/script><template id="ahead">/,
  );
});

test('a page without scripts stays as it is', () => {
  const html = page(FONT + STYLE, '<p>Text</p>');
  assert.equal(painted(html), html);
});
