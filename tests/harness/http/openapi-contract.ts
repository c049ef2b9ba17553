import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: the document is what is looked at.
export type Json = any;

const METHODS = ['get', 'post', 'put', 'delete'];
const SCHEMA_OF_JSON = 'content/application~1json/schema';

/** Nothing may be in an answer that the document does not have. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = schema.type === 'object' && schema.properties && schema.additionalProperties === undefined;
  return isOpen ? { ...inside, additionalProperties: false } : inside;
}

export type Operation = { path: string; method: string; name: string; operation: Json };
export type Asked = { path?: Record<string, string>; query?: string; body?: unknown; token?: string };

/** The document of the web process at an address, and calls that are held against it. */
export async function contractOf(url: string) {
  const text = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  const api: Json = JSON.parse(text);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema(closed(api), 'answers').addSchema(api, 'api');
  let calls = 0;

  const operations: Operation[] = Object.entries(api.paths as Json).flatMap(([path, item]: [string, Json]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      return { path, method, operation: item[method], name: `${method.toUpperCase()} ${path}` };
    }),
  );

  const pointerOf = (method: string, pattern: string) =>
    `#/paths/${pattern.replaceAll('/', '~1').replaceAll(/[{}]/g, encodeURIComponent)}/${method}`;

  /** The description of an answer, and where it stands in the document. */
  function describedAt(method: string, pattern: string, status: number) {
    const said = api.paths[pattern][method].responses[status];
    if (!said) return undefined;
    if (said.$ref) return { content: api.components.responses[status].content, at: said.$ref as string };
    return { content: said.content, at: `${pointerOf(method, pattern)}/responses/${status}` };
  }

  /** Makes a call from an address of its own, and holds its answer against the document. */
  async function ask(name: string, { path = {}, query = '', body, token }: Asked = {}) {
    const [method, pattern] = name.split(' ') as [string, string];
    const address = pattern.replaceAll(/\{(\w+)\}/g, (_, key: string) => path[key]!);
    calls += 1;
    const response = await fetch(`${url}/api/v1${address}${query}`, {
      method,
      headers: {
        'X-Forwarded-For': `10.0.${calls >> 8}.${calls & 255}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const described = describedAt(method.toLowerCase(), pattern, status);
    assert.ok(
      described,
      `${name} answered ${status}, of which nothing is said: ${await response.clone().text()}`,
    );
    assert.match(headers.get('X-Request-Id') ?? '', /./);
    const [type] = Object.keys(described.content) as [string];
    assert.match(headers.get('Content-Type') ?? '', new RegExp(`^${type.replace('*', '\\w+')}`));
    if (type !== 'application/json') return { status, body: undefined as Json };
    const answer: Json = await response.json();
    const isValid = ajv.getSchema(`answers${described.at}/${SCHEMA_OF_JSON}`)!;
    const wrong = () => `${name} ${status}: ${JSON.stringify(isValid.errors)} in ${JSON.stringify(answer)}`;
    assert.ok(isValid(answer), isValid.errors ? wrong() : '');
    return { status, body: answer };
  }

  /** Whether a body keeps what the document says of it. */
  const keeps = ({ method, path }: Operation, body: unknown): boolean =>
    ajv.getSchema(`api${pointerOf(method, path)}/requestBody/${SCHEMA_OF_JSON}`)!(body) as boolean;

  function example(name: string): Json {
    const [method, pattern] = name.split(' ') as [string, string];
    return api.paths[pattern][method.toLowerCase()].requestBody?.content['application/json'].example;
  }

  return { text, api, operations, ask, keeps, example };
}
