const MOST = 120;

/** A piece of a text as a finding names it to the writer: on one line, and nothing in it ends the quotation. */
export const quote = (said: string, most = MOST): string =>
  `"${said
    .slice(0, most)
    .replaceAll('"', "'")
    .replace(/\s*\n\s*/g, ' ')}"`;
