import type { IncomingHttpHeaders } from 'node:http';
import { withEnv } from '#tests/harness/with-env.ts';
import { serve } from './sandbox.ts';

type Call = 'initialize' | 'put' | 'create' | 'delete' | 'read';
type Answer = { status: number; body?: object | string; headers?: Record<string, string> };
export type Asked = { call: Call; url: string; headers: IncomingHttpHeaders; body: string };

let counter = 0;

/** What LinkedIn answers when all is well. */
const WELL: Record<Call, (origin: string) => Answer> = {
  initialize: (origin) => ({
    status: 200,
    body: { value: { uploadUrl: `${origin}/upload/${++counter}`, image: `urn:li:image:C4E10-${counter}` } },
  }),
  put: () => ({ status: 201 }),
  create: () => ({ status: 201, headers: { 'x-restli-id': `urn:li:share:${Date.now()}${++counter}` } }),
  delete: () => ({ status: 204 }),
  read: () => ({
    status: 403,
    body: { status: 403, code: 'ACCESS_DENIED', message: 'Not enough permissions' },
  }),
};

function callOf(method = '', url = ''): Call {
  if (method === 'PUT') return 'put';
  if (method === 'DELETE') return 'delete';
  if (method === 'GET') return 'read';
  return url.startsWith('/rest/images') ? 'initialize' : 'create';
}

/**
 * Runs `act` with a LinkedIn API that answers each kind of call with what the test lists for it, the last
 * for ever, and well where nothing is listed. Answers what it was asked.
 */
export async function atTheDoor(
  answers: Partial<Record<Call, Answer[]>>,
  act: () => Promise<unknown>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const listed = structuredClone(answers);
  const origin = await serve(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { method, url = '', headers } = req;
    const call = callOf(method, url);
    asked.push({ call, url, headers, body: Buffer.concat(chunks).toString('latin1') });
    const own = listed[call];
    const answer = (own && own.length > 1 ? own.shift() : own?.[0]) ?? WELL[call](origin);
    const { status, body = '' } = answer;
    res.writeHead(status, answer.headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await withEnv({ LINKEDIN_API_URL: origin }, act);
  return asked;
}

/** LinkedIn's word for a refusal. */
export const problem = (status: number, code: string, message = ''): Answer => ({
  status,
  body: { status, code, message },
});

export const dayLimit = (whose: 'APPLICATION' | 'MEMBER') =>
  problem(
    429,
    'TOO_MANY_REQUESTS',
    `Resource level throttle ${whose} DAY limit for calls to this resource is reached.`,
  );
