import fc from 'fast-check';
import type { Json } from '#tests/http/contract.ts';

const LONGEST = 40;
const LARGEST = 1_000_000;

function textOf({
  minLength = 0,
  maxLength = LONGEST,
  pattern,
  format,
  ...schema
}: Json): fc.Arbitrary<string> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  const day = () =>
    fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  if (format === 'date') return day().map((date) => date.toISOString().slice(0, 10));
  if (pattern) return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength });
  const most = Math.min(maxLength, Math.max(minLength, LONGEST));
  return fc.string({ unit: 'grapheme', minLength, maxLength: most }).map((text) => text.slice(0, maxLength));
}

/** Values that keep a schema of the document. */
export function valuesOf(schema: Json): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => valuesOf({ ...schema, type })));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum = -LARGEST, maximum = LARGEST, items, minItems = 0, maxItems = 5 } = schema;
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(items), { minLength: minItems, maxLength: maxItems });
    case 'object': {
      const values = Object.entries(schema.properties ?? {}).map(([name, of]) => [name, valuesOf(of)]);
      return fc.record(Object.fromEntries(values), { requiredKeys: schema.required ?? [] });
    }
    default:
      throw new Error(`No values are made of ${JSON.stringify(schema)}`);
  }
}

const WRONG = [
  null,
  true,
  false,
  -1,
  0,
  7.5,
  1e300,
  '',
  ' ',
  'nothing that is meant',
  'x'.repeat(20_000),
  '\0',
  [],
  [null],
  [[]],
  {},
  { a: 1 },
  Array.from({ length: 200 }, () => 'x'),
];
const wrong = fc.constantFrom<unknown>(...WRONG);

/** Bodies of which one thing is wrong, or which are no object at all. */
export function brokenValuesOf(schema: Json, keeps: (body: unknown) => boolean): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const one = (value: object) => {
    const replaced = fc
      .tuple(fc.constantFrom(...names), wrong)
      .map(([name, other]) => ({ ...value, [name]: other }));
    const left = fc
      .constantFrom(...names)
      .map((name) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)));
    return fc.oneof({ weight: 4, arbitrary: replaced }, { weight: 1, arbitrary: left });
  };
  const none = fc.constantFrom<unknown>(...WRONG.filter((value) => JSON.stringify(value)[0] !== '{'));
  const some = names.length > 0 ? (valuesOf(schema) as fc.Arbitrary<object>).chain(one) : none;
  return fc
    .oneof({ weight: 5, arbitrary: some }, { weight: 1, arbitrary: none })
    .filter((body) => !keeps(body));
}
