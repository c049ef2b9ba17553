/** What React and React Router put into the head to be fetched ahead. */
const AHEAD = /<link [^>]*\brel="(?:modulepreload|preload)"[^>]*>/g;

/**
 * A page is painted with its styles, before its fonts and scripts come. These are many times as large and are asked for in
 * the same moment: on a slow line the styles would wait for them. So the links that fetch them ahead move to the end of the
 * page, each once. A page without scripts, which has little else to fetch, stays as it is.
 */
export function paintFirst(html: string): string {
  const head = html.slice(0, html.indexOf('</head>'));
  if (!head.includes('rel="modulepreload"')) return html;
  const end = html.lastIndexOf('</body>');
  const ahead = new Set(head.match(AHEAD));
  return head.replaceAll(AHEAD, '') + html.slice(head.length, end) + [...ahead].join('') + html.slice(end);
}
