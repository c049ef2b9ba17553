import { isObject } from '#sandbox/server/http.ts';
import { invalid } from './refusals.ts';
import { strictProblem } from './schema.ts';

type Schema = Record<string, unknown>;

/** For JSON without a schema: everything that the writer can return. */
export const ANY_JSON: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    ['content', 'hashtags', 'thesis', 'claims', 'findings', 'description'].map((name) => [name, {}]),
  ),
};

/** The parameters of the format and of its schema, which differ between the two APIs. */
type FormatParameter = { path: string; schemaPath: string; schema: (format: Schema) => unknown };
export const CHAT_FORMAT: FormatParameter = {
  path: 'response_format',
  schemaPath: 'response_format.json_schema',
  schema: ({ json_schema }) => json_schema,
};
export const RESPONSE_FORMAT: FormatParameter = {
  path: 'text.format',
  schemaPath: 'text.format',
  schema: (format) => format,
};

/** The schema of the response; null for plain text. */
export function responseSchema(format: unknown, prompt: string, parameter: FormatParameter): Schema | null {
  if (format === undefined || format === null || (isObject(format) && format.type === 'text')) {
    return /one JSON object/.test(prompt) ? ANY_JSON : null;
  }
  if (isObject(format) && format.type === 'json_object') {
    if (!/json/i.test(prompt))
      invalid(
        `'messages' must contain the word 'json' in some form, to use '${parameter.path}' of type 'json_object'.`,
        'messages',
      );
    return ANY_JSON;
  }
  const requested = isObject(format) && format.type === 'json_schema' ? parameter.schema(format) : null;
  const { schemaPath } = parameter;
  if (!isObject(requested)) invalid(`Missing required parameter: '${schemaPath}'.`, schemaPath);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(requested.name ?? ''))) {
    const message = `Invalid '${schemaPath}.name': expected a string of 1 to 64 letters, digits, _ or -.`;
    invalid(message, `${schemaPath}.name`);
  }
  if (!isObject(requested.schema)) {
    invalid(`Missing required parameter: '${schemaPath}.schema'.`, `${schemaPath}.schema`);
  }
  const problem = requested.strict === true ? strictProblem(requested.schema) : null;
  if (problem)
    invalid(`Invalid schema for response_format '${String(requested.name)}': ${problem}`, parameter.path);
  return requested.schema;
}
