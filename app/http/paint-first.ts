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
  const ahead = new Set<string>();
  const before = head.replaceAll(AHEAD, (link) => {
    ahead.add(link);
    return '';
  });
  const later = `<template id="ahead">${[...ahead].join('')}</template><script nonce="${nonce}">${FETCH_NOW}</script>`;
  return Buffer.concat([
    Buffer.from(before),
    page.subarray(headEnd, end),
    Buffer.from(later),
    page.subarray(end),
  ]);
}
