import { isObject } from '#sandbox/server/http.ts';
import { invalid } from './refusals.ts';
import { strictProblem } from './schema.ts';

type Schema = Record<string, unknown>;

/** What JSON of any shape is here: all that the writer has to say. */
export const ANY_ANSWER: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    ['content', 'hashtags', 'thesis', 'claims', 'findings', 'description'].map((name) => [name, {}]),
  ),
};

/** Where a format stands in the request, and where its schema does. */
type Place = { at: string; schemaAt: string; schema: (format: Schema) => unknown };
export const OF_CHAT: Place = {
  at: 'response_format',
  schemaAt: 'response_format.json_schema',
  schema: ({ json_schema }) => json_schema,
};
export const OF_RESPONSE: Place = { at: 'text.format', schemaAt: 'text.format', schema: (format) => format };

/** The schema of the answer that is asked for; null when plain text is. */
export function askedSchema(format: unknown, prompt: string, place: Place): Schema | null {
  if (format === undefined || format === null || (isObject(format) && format.type === 'text')) {
    return /one JSON object/.test(prompt) ? ANY_ANSWER : null;
  }
  if (isObject(format) && format.type === 'json_object') {
    if (!/json/i.test(prompt))
      invalid(
        `'messages' must contain the word 'json' in some form, to use '${place.at}' of type 'json_object'.`,
        'messages',
      );
    return ANY_ANSWER;
  }
  const asked = isObject(format) && format.type === 'json_schema' ? place.schema(format) : null;
  const { schemaAt } = place;
  if (!isObject(asked)) invalid(`Missing required parameter: '${schemaAt}'.`, schemaAt);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(asked.name ?? ''))) {
    const message = `Invalid '${schemaAt}.name': expected a string of 1 to 64 letters, digits, _ or -.`;
    invalid(message, `${schemaAt}.name`);
  }
  if (!isObject(asked.schema)) {
    invalid(`Missing required parameter: '${schemaAt}.schema'.`, `${schemaAt}.schema`);
  }
  const problem = asked.strict === true ? strictProblem(asked.schema) : null;
  if (problem) invalid(`Invalid schema for response_format '${String(asked.name)}': ${problem}`, place.at);
  return asked.schema;
}
