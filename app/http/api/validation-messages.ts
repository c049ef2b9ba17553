import { z } from 'zod';

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};
const UNITS: Record<string, [string, string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};
const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  url: 'an address such as https://example.com',
  uuid: 'an ID',
  datetime: 'an instant such as 2026-01-31T09:30:00Z',
  date: 'a day such as 2026-01-31',
};

function sizeMessage(comparison: string, limit: unknown, origin: string): string {
  const unit = UNITS[origin];
  if (!unit) return `This has to be ${comparison} ${limit}`;
  return `This has to have ${comparison} ${limit} ${unit[limit === 1 ? 0 : 1]}`;
}

function issueMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This is missing'
        : `This has to be ${TYPES[issue.expected] ?? 'another kind of value'}`;
    case 'too_small':
      return sizeMessage(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
    case 'too_big':
      return sizeMessage(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin);
    case 'invalid_value':
      return `This has to be ${issue.values.map(String).join(' or ')}`;
    case 'unrecognized_keys':
      return `There is no ${issue.keys.map((key) => `"${key.slice(0, 100)}"`).join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format]
        ? `This has to be ${FORMATS[issue.format]}`
        : 'This does not look as it has to';
    default:
      return 'This is not valid';
  }
}

z.config({ customError: issueMessage });

/** The first message of a validation error, and all of them by field. */
export function validationMessage(error: z.ZodError): { message: string; fields: Record<string, string[]> } {
  const { fieldErrors, formErrors } = z.flattenError(error) as z.core.$ZodFlattenedError<
    Record<string, unknown>
  >;
  const message = Object.values(fieldErrors).flat()[0] ?? formErrors[0] ?? 'The input is not valid';
  const fields = Object.entries(fieldErrors).map(([name, messages]) => [name, [...new Set(messages)]]);
  return { message, fields: Object.fromEntries(fields) };
}
