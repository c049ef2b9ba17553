import { sample } from 'openapi-sampler';
import { apiDocument } from '#app/routes/api/v1/document.ts';

/** Titles and descriptions of the call groups, by the first segment of the path. */
const GROUPS = {
  topics: ['Topics', 'What posts are about'],
  automation: ['Posts and times', 'What is written, what waits, and when it goes out'],
  linkedin: ['LinkedIn', 'The connection through which posts go out'],
  payment: ['Plans and payments', 'What a plan costs, and how it is paid'],
  webhooks: ['Webhooks', 'What your programs are told as it happens'],
  auth: ['Signing in', 'From an email and a password to a token'],
  account: ['Account', 'Tokens, the file with everything, and leaving'],
  support: ['Support', 'Requests and their answers'],
  feedback: ['Feedback', 'The board, and voting'],
  public: ['Public', 'What everybody may read'],
  visits: ['Visits', 'Pages that were shown'],
  'email-tracking': ['Mails', 'Links that were opened'],
  admin: ['Administration', 'For administrators alone'],
} as const;
export type GroupName = keyof typeof GROUPS;

type Schema = Parameters<typeof sample>[0];
type Kind = { type?: string | string[]; enum?: unknown[]; anyOf?: Kind[]; items?: Kind };
type Body = { properties?: Record<string, Kind>; required?: string[] };
type Media = Record<string, { schema?: Schema; example?: unknown }>;
type Operation = {
  summary: string;
  description: string;
  operationId: string;
  security: object[];
  parameters?: { in: string; name: string; required?: boolean; schema: Kind }[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
};

function describeType({ type, enum: words, anyOf, items }: Kind): string {
  if (words) return words.join(' | ');
  if (anyOf) return anyOf.map(describeType).join(' or ');
  if (items) return `list of ${describeType(items)}`;
  return [type ?? 'any value'].flat().join(' or ');
}

const fieldsOf = ({ properties = {}, required = [] }: Body) =>
  Object.entries(properties).map(([name, kind]) => ({
    name,
    location: 'body',
    isRequired: required.includes(name),
    type: describeType(kind),
  }));

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

function curl(base: string, method: string, path: string, { security, requestBody }: Operation): string {
  const body = requestBody?.content['application/json']?.example;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${base}${path}'`,
    ...(security.length > 0 ? ["-H 'Authorization: Bearer TOKEN'"] : []),
    ...(body
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

function presentCall(path: string, method: string, operation: Operation) {
  const api = apiDocument();
  const statuses = Object.keys(operation.responses);
  const success = statuses.find((status) => status < '300')!;
  const responseSchema = operation.responses[success]?.content?.['application/json']?.schema;
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    note: operation.description === operation.summary ? '' : operation.description,
    parameters: [
      ...(operation.parameters ?? []).map(({ name, in: location, required, schema }) => ({
        name,
        location,
        isRequired: required === true,
        type: describeType(schema),
      })),
      ...fieldsOf((operation.requestBody?.content['application/json']?.schema ?? {}) as Body),
    ],
    curl: curl(api.servers![0]!.url!, method.toUpperCase(), path, operation),
    success,
    response: responseSchema ? pretty(sample(responseSchema, { skipNonRequired: false }, api)) : null,
    failures: statuses.filter((status) => status >= '400').join(', '),
  };
}
export type PresentedCall = ReturnType<typeof presentCall>;

const allCalls = () =>
  Object.entries(apiDocument().paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );

const groupOf = (path: string) => path.split('/')[1]!;

export const listGroups = () =>
  Object.entries(GROUPS).map(([name, [title, lead]]) => ({
    name,
    title,
    lead,
    calls: allCalls()
      .filter(({ path }) => groupOf(path) === name)
      .map(({ path, method, operation }) => ({
        path,
        method: method.toUpperCase(),
        id: operation.operationId,
        does: operation.summary,
      })),
  }));
export type CallGroup = ReturnType<typeof listGroups>[number];

/** A group with its calls in full; undefined for an unknown name. */
export function findGroup(name: string) {
  if (!Object.hasOwn(GROUPS, name)) return undefined;
  const [title, lead] = GROUPS[name as GroupName];
  const calls = allCalls().filter(({ path }) => groupOf(path) === name);
  return {
    name,
    title,
    lead,
    calls: calls.map((call) => presentCall(call.path, call.method, call.operation)),
  };
}
