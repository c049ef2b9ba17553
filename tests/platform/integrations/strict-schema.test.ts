import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { strictSchema } from '#app/integrations/openai/strict-schema.ts';
import { strictProblem } from '#sandbox/openai/schema.ts';

test('a shape becomes a schema of the strict subset, without words that models know or not', () => {
  const shape = z.object({
    content: z.string().min(1).max(10).describe('The text'),
    claims: z.array(z.object({ fact: z.int().nullable() })).max(5),
  });
  const schema = strictSchema(shape);
  assert.equal(strictProblem(schema), null);
  assert.deepEqual(schema, {
    type: 'object',
    properties: {
      content: { type: 'string', description: 'The text' },
      claims: {
        type: 'array',
        items: {
          type: 'object',
          properties: { fact: { type: ['integer', 'null'] } },
          required: ['fact'],
          additionalProperties: false,
        },
      },
    },
    required: ['content', 'claims'],
    additionalProperties: false,
  });
});

test('a shape outside the subset is an error of ours, told at once', () => {
  const nested = z.object({ note: z.object({ text: z.string().optional() }) });
  assert.throws(() => strictSchema(nested), /optional at properties.note/);
  assert.throws(() => strictSchema(z.array(z.string())), /must be an object/);
});
