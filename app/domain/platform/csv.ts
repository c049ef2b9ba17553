/** Without it spreadsheets do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** ISO 8601 with the zone's offset: "2026-11-24T09:00:00+01:00". */
export const formatIsoInZone = (at: Date | null, timeZone: string) =>
  at &&
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

export type CsvValue = string | number | null;

/**
 * A spreadsheet whose separator is ";" (Excel in much of Europe) does not treat a quote inside a line as quoting, so
 * each line of a text, and what follows a ";", becomes a cell. Such a part is a dangerous formula when it begins with
 * "=", or with another sign and contains what a function call or a reference to another sheet or program needs. Plain
 * text such as "- a list item" or "@Ada, thank you" stays unchanged. The last part continues into the next cells as a
 * string, after our closing quote: that is a formula only behind an operator, or where an apostrophe opens a sheet
 * name. A part may begin with quotes, because quotes in our text are doubled.
 */
const EMBEDDED_FORMULA =
  /(?<=[;\t\r\n])(?="*(?:[=＝]|[+\-@＋－＠](?:[^;\t\r\n]*[(|!（｜！]|(?:[^;\t\r\n]*[-+*/^&=<>,{@＋－＊／＾＆＝＜＞，])?["\s]*(?:'(?:[^']|'')*)?$)))/g;

/** An apostrophe makes a text of a cell that a spreadsheet would read as a formula (OWASP, CSV injection). */
function toCell(value: CsvValue): string {
  const text = String(value ?? '').replaceAll(EMBEDDED_FORMULA, "'");
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (values: CsvValue[]) => `${values.map(toCell).join(',')}\r\n`;
