import { isObject } from './http.ts';

const UNSUPPORTED = [
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
];
const MAX_DEPTH = 10;

/** What breaks the strict subset of structured outputs, in OpenAI's words; null when nothing does. */
export function strictProblem(schema: unknown): string | null {
  if (!isObject(schema) || schema.type !== 'object') {
    return `In context=(), schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(isObject(schema) ? schema.type : schema)}'.`;
  }
  if (schema.anyOf) return "In context=(), 'anyOf' is not permitted at the root.";
  return walk(schema, [], 1);
}

function walk(schema: unknown, path: string[], depth: number): string | null {
  const where = `In context=(${path.map((part) => `'${part}'`).join(', ')}${path.length === 1 ? ',' : ''})`;
  if (!isObject(schema)) return `${where}, schema must be an object.`;
  if (depth > MAX_DEPTH) return `${where}, schema is nested more than ${MAX_DEPTH} levels deep.`;
  const unsupported = UNSUPPORTED.find((name) => name in schema);
  if (unsupported) return `${where}, '${unsupported}' is not permitted.`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes('object')) {
    if (schema.additionalProperties !== false) {
      return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const missing = Object.keys(properties).find((name) => !required.includes(name));
    if (missing !== undefined) {
      return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
    for (const [name, child] of Object.entries(properties)) {
      const problem = walk(child, [...path, 'properties', name], depth + 1);
      if (problem) return problem;
    }
  }
  if (types.includes('array')) {
    if (schema.items === undefined) return `${where}, array schema missing items.`;
    const problem = walk(schema.items, [...path, 'items'], depth + 1);
    if (problem) return problem;
  }
  const parts: [string, unknown][] = [
    ...(Array.isArray(schema.anyOf)
      ? schema.anyOf.map((part, at): [string, unknown] => [`anyOf.${at}`, part])
      : []),
    ...Object.entries(isObject(schema.$defs) ? schema.$defs : {}),
  ];
  for (const [name, part] of parts) {
    const problem = walk(part, [...path, name], depth + 1);
    if (problem) return problem;
  }
  return null;
}

type Schema = Record<string, unknown>;

export const propertiesOf = (schema: Schema): Schema =>
  isObject(schema.properties) ? schema.properties : {};

/** A value of a schema: what is `known` by the name of a property, and for the rest the plainest that fits. */
export function exampleOf(schema: Schema, known: Schema): unknown {
  const defs = isObject(schema.$defs) ? schema.$defs : {};
  const fill = (part: unknown, name: string, depth: number): unknown => {
    if (!isObject(part) || depth > MAX_DEPTH) return null;
    const ref = typeof part.$ref === 'string' ? part.$ref : null;
    if (ref) return fill(ref === '#' ? schema : defs[ref.replace('#/$defs/', '')], name, depth + 1);
    if ('const' in part) return part.const;
    if (Array.isArray(part.enum)) return part.enum[0];
    if (Array.isArray(part.anyOf)) return fill(part.anyOf[0], name, depth + 1);
    const [type] = Array.isArray(part.type) ? part.type : [part.type];
    if (type === 'object') {
      const entries = Object.entries(propertiesOf(part));
      return Object.fromEntries(entries.map(([each, child]) => [each, fill(child, each, depth + 1)]));
    }
    if (type === 'array') return [fill(part.items, name, depth + 1)];
    if (type === 'integer' || type === 'number') return 1;
    if (type === 'boolean') return true;
    return type === 'string' ? `Something about ${name || 'it'}` : null;
  };
  const entries = Object.entries(propertiesOf(schema));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name in known ? known[name] : fill(part, name, 1)]),
  );
}
