const QUOTE_MAX = 120;

/** Quotes part of a text for the writer: on one line, without quotation marks that would end the quotation. */
export const quote = (text: string, max = QUOTE_MAX): string =>
  `"${text
    .slice(0, max)
    .replaceAll('"', "'")
    .replace(/\s*\n\s*/g, ' ')}"`;
