/** What React and React Router put into the head to be fetched ahead. */
const AHEAD = /<link [^>]*\brel="(?:modulepreload|preload)"[^>]*>/g;

/** A script waits for the style sheets before it. */
const FETCH_NOW = "document.body.append(document.getElementById('ahead').content)";

/**
 * A page is painted with its styles, before its fonts and scripts come. These are many times as large: asked for in the
 * same moment, on a slow line the styles would wait for them. So the links that fetch them ahead move to the end of the
 * page, each once, into a template that browsers do not look through, and out of it as soon as the styles are there. A page
 * without scripts, which has little else to fetch, stays as it is.
 *
 * @param nonce Of the page's scripts.
 */
export function paintFirst(page: Buffer<ArrayBuffer>, nonce: string): Buffer<ArrayBuffer> {
  const headEnd = page.indexOf('</head>');
  const head = page.toString('utf8', 0, headEnd);
  if (!head.includes('rel="modulepreload"')) return page;
  const end = page.lastIndexOf('</body>');
  const ahead = [...new Set(head.match(AHEAD))].join('');
  const later = `<template id="ahead">${ahead}</template><script nonce="${nonce}">${FETCH_NOW}</script>`;
  const [before, after] = [Buffer.from(head.replaceAll(AHEAD, '')), Buffer.from(later)];
  return Buffer.concat([before, page.subarray(headEnd, end), after, page.subarray(end)]);
}
