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
 * @param script What the first of them runs at the end of the page.
 */
export function paintFirst(page: string, nonce: string, script = ''): Buffer<ArrayBuffer> {
  const headEnd = page.indexOf('</head>');
  const head = page.slice(0, headEnd);
  if (!head.includes('rel="modulepreload"')) return Buffer.from(page);
  const end = page.lastIndexOf('</body>');
  const ahead = new Set<string>();
  const before = head.replaceAll(AHEAD, (link) => {
    ahead.add(link);
    return '';
  });
  const later = `<template id="ahead">${[...ahead].join('')}</template><script nonce="${nonce}">${FETCH_NOW}</script>`;
  // Each by itself: the page is as large as all else that is made for it, and to put it together again would copy it twice.
  return Buffer.concat(
    [before, page.slice(headEnd, end), script, later, page.slice(end)].map((part) => Buffer.from(part)),
  );
}
