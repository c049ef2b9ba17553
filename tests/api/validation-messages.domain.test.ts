import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { validationMessage } from '#app/http/api/validation-messages.ts';

const told = (schema: z.ZodType, value: unknown) =>
  validationMessage(z.object({ field: schema }).safeParse({ field: value }).error!).message;

test('who calls the API is told in a sentence what a value has to be, in no words of the validator', () => {
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), undefined, 'This is missing'],
    [z.string(), 7, 'This has to be a text'],
    [z.boolean(), 'yes', 'This has to be true or false'],
    [z.int(), 1.5, 'This has to be a whole number'],
    [z.array(z.string()), 'a', 'This has to be a list'],
    [z.number().min(1), 0, 'This has to be at least 1'],
    [z.number().max(100), 101, 'This has to be at most 100'],
    [z.number().positive(), 0, 'This has to be more than 0'],
    [z.string().max(3), 'long', 'This has to have at most 3 characters'],
    [z.array(z.string()).min(1), [], 'This has to have at least 1 entry'],
    [z.enum(['a', 'b']), 'c', 'This has to be a or b'],
    [z.uuid(), 'x', 'This has to be an ID'],
    [z.iso.date(), 'x', 'This has to be a day such as 2026-01-31'],
    [z.string().regex(/^a/), 'b', 'This does not look as it has to'],
    [z.union([z.string(), z.number()]), true, 'This is not valid'],
    [z.string('Say which page it is'), undefined, 'Say which page it is'],
  ];
  for (const [schema, value, sentence] of cases) assert.equal(told(schema, value), sentence);
  const strict = z.strictObject({}).safeParse({ more: 1 });
  assert.equal(validationMessage(strict.error!).message, 'There is no "more"');
});
