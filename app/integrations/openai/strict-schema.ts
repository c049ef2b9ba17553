import { z } from 'zod';

/** Words of JSON schema that models support or not by their version: the shape checks these itself. */
const UNCERTAIN = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'default',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
];

/**
 * The JSON schema of a shape within the strict subset of structured outputs: an object at the root, every
 * property required, nothing additional, no limits of length or number. Throws when a property is optional:
 * the subset knows only `nullable`.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function strictSchema(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    override: ({ jsonSchema, path }) => {
      for (const word of UNCERTAIN) delete (jsonSchema as Record<string, unknown>)[word];
      const isWhole = Object.keys(jsonSchema.properties ?? {}).every((name) =>
        jsonSchema.required?.includes(name),
      );
      if (!isWhole)
        throw new Error(`A property is optional at ${path.join('.') || 'the root'}; make it nullable`);
    },
  });
  if (schema.type !== 'object') throw new Error('The shape of an answer must be an object');
  return schema;
}
