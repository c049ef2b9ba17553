/** Without it spreadsheets take UTF-8 for something else. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** "2026-11-24T09:00:00+01:00" in a zone. */
export const inZone = (at: Date | null, timeZone: string) =>
  at &&
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

export type Value = string | number | null;

/**
 * A spreadsheet whose separator is ";" (Excel in much of Europe) reads a quote within a line as itself, so for it
 * every line of a text, and what follows a ";", is a cell of its own. Such a piece is taken for a formula that can
 * do something when it begins with "=", or with another sign and has what a call of a function, another sheet or
 * another program needs. Without that it computes no more than what it says, and stays as people write it:
 * "- a list item", "@Ada, thank you". The last piece goes on into the cells beside it, which come as a string, by the
 * quote that ends ours: only behind an operator is that a formula, or where an apostrophe there opens the name of a
 * sheet, which may hold what ends our cell and ends in a later one. As double-quoted text a piece may begin with
 * quotes of its own.
 */
const FORMULA_WITHIN =
  /(?<=[;\t\r\n])(?="*(?:[=＝]|[+\-@＋－＠](?:[^;\t\r\n]*[(|!（｜！]|(?:[^;\t\r\n]*[-+*/^&=<>,{@＋－＊／＾＆＝＜＞，])?["\s]*(?:'(?:[^']|'')*)?$)))/g;

/**
 * A cell that a spreadsheet would take for a formula becomes text by an apostrophe (OWASP, CSV injection); one
 * that it might take for several stays one by its quotes.
 */
function cell(value: Value): string {
  const text = String(value ?? '').replaceAll(FORMULA_WITHIN, "'");
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of a CSV file (RFC 4180). */
export const line = (values: Value[]) => `${values.map(cell).join(',')}\r\n`;
