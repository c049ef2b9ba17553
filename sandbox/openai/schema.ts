import { isObject } from '#sandbox/server/http.ts';

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

/** OpenAI's error for a schema outside of the strict subset of structured outputs, or null. */
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
  const problem = problemOf(schema);
  if (problem) return `${where}, ${problem}`;
  for (const [names, child] of partsOf(schema)) {
    const problemInside = walk(child, [...path, ...names], depth + 1);
    if (problemInside) return problemInside;
  }
  return null;
}

/** Checks the schema itself, without its parts. */
function problemOf(schema: Schema): string | null {
  const unsupported = UNSUPPORTED.find((name) => name in schema);
  if (unsupported) return `'${unsupported}' is not permitted.`;
  const types = typesOf(schema);
  if (types.includes('object')) {
    if (schema.additionalProperties !== false) {
      return "'additionalProperties' is required to be supplied and to be false.";
    }
    const required = Array.isArray(schema.required) ? schema.required : [];
    const missing = Object.keys(propertiesOf(schema)).find((name) => !required.includes(name));
    if (missing !== undefined) {
      return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  return types.includes('array') && schema.items === undefined ? 'array schema missing items.' : null;
}

/** The schemas inside a schema, with their paths. */
function partsOf(schema: Schema): [names: string[], part: unknown][] {
  const types = typesOf(schema);
  const properties = types.includes('object') ? propertiesOf(schema) : {};
  const anyOf = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const parts: [string[], unknown][] = Object.entries(properties).map(([name, part]) => [
    ['properties', name],
    part,
  ]);
  if (types.includes('array')) parts.push([['items'], schema.items]);
  anyOf.forEach((part, index) => {
    parts.push([[`anyOf.${index}`], part]);
  });
  for (const [name, part] of Object.entries(definitionsOf(schema))) parts.push([[name], part]);
  return parts;
}

type Schema = Record<string, unknown>;

const typesOf = ({ type }: Schema): unknown[] => (Array.isArray(type) ? type : [type]);

const definitionsOf = ({ $defs }: Schema): Schema => (isObject($defs) ? $defs : {});

export const propertiesOf = (schema: Schema): Schema =>
  isObject(schema.properties) ? schema.properties : {};

/** A value that matches the schema: properties from `known`, and the simplest valid values for the others. */
export function exampleOf(schema: Schema, known: Schema): unknown {
  const entries = Object.entries(propertiesOf(schema));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name in known ? known[name] : simplestValue(part, name, schema, 1)]),
  );
}

/** References are resolved in `root`. */
function simplestValue(part: unknown, name: string, root: Schema, depth: number): unknown {
  if (!isObject(part) || depth > MAX_DEPTH) return null;
  const inside = (child: unknown, childName = name) => simplestValue(child, childName, root, depth + 1);
  if (typeof part.$ref === 'string') {
    return inside(part.$ref === '#' ? root : definitionsOf(root)[part.$ref.replace('#/$defs/', '')]);
  }
  if ('const' in part) return part.const;
  if (Array.isArray(part.enum)) return part.enum[0];
  if (Array.isArray(part.anyOf)) return inside(part.anyOf[0]);
  switch (typesOf(part)[0]) {
    case 'object': {
      const entries = Object.entries(propertiesOf(part));
      return Object.fromEntries(entries.map(([each, child]) => [each, inside(child, each)]));
    }
    case 'array':
      return [inside(part.items)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'string':
      return `Something about ${name || 'it'}`;
    default:
      return null;
  }
}
