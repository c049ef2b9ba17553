import { z } from 'zod';

/** JSON schema keywords that not all models support. The zod schema checks them. */
const UNSUPPORTED = [
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
 * Returns a JSON schema in the strict subset of structured outputs: an object, without additional properties or limits.
 * Throws if a property is optional, because the subset only supports nullable ones.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function strictSchema(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    override: ({ jsonSchema, path }) => {
      for (const keyword of UNSUPPORTED) delete (jsonSchema as Record<string, unknown>)[keyword];
      const isStrict = Object.keys(jsonSchema.properties ?? {}).every((name) =>
        jsonSchema.required?.includes(name),
      );
      if (!isStrict)
        throw new Error(`A property is optional at ${path.join('.') || 'the root'}; make it nullable`);
    },
  });
  if (schema.type !== 'object') throw new Error('The shape of an answer must be an object');
  return schema;
}
