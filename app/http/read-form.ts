import { data, type MiddlewareFunction } from 'react-router';
import { refusalContext, sentFormContext, viewerContext } from '#app/context.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { readBody } from './body.ts';
import { limitVisitor } from './limit.ts';
import { BODY_BYTES_MAX, FORM_TOO_LONG } from './limits.ts';

const MOST_FIELDS = 100;
const LONGEST_NAME = 60;
/** Names as our forms write them, `publishTimes[0]` among them: two levels deep, an index below 100. */
const NAME = /^[a-z][\w-]*(?:\[\d{0,2}\])?(?:\.[a-z][\w-]*(?:\[\d{0,2}\])?)?$/i;
const TAKEN = new Set(['constructor', 'prototype']);

const NOT_OURS = 'This is not one of our forms. Open the page again and try once more.';

const refuse = (status: number, sentence: string) => data(sentence, { status });

const isName = (name: string) =>
  name.length <= LONGEST_NAME && NAME.test(name) && !name.split(/[.[\]]/).some((part) => TAKEN.has(part));

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

async function parseMultipart(body: Buffer<ArrayBuffer>, type: string): Promise<[string, unknown][]> {
  if (count(body.toString('latin1'), /content-disposition/gi) > MOST_FIELDS) throw refuse(400, NOT_OURS);
  try {
    return [...(await new Response(body, { headers: { 'Content-Type': type } }).formData())];
  } catch {
    throw refuse(400, NOT_OURS);
  }
}

async function parseFields(body: Buffer<ArrayBuffer>, type: string): Promise<[string, unknown][]> {
  if (body.length === 0) return [];
  const kind = type.split(';', 1)[0]!.trim().toLowerCase();
  if (kind === 'multipart/form-data') return parseMultipart(body, type);
  if (kind !== 'application/x-www-form-urlencoded') {
    throw refuse(415, 'Only what a form sends can be taken here. Open the page and use its form.');
  }
  const text = body.toString('utf8');
  if (count(text, /&/g) >= MOST_FIELDS) throw refuse(400, NOT_OURS);
  return [...new URLSearchParams(text)];
}

/** The fields of a form, or the refusal to look at them: too many, too deep, too long, or not a form. */
export async function readForm(request: Request, most: number): Promise<FormData> {
  const body = await readBody(request, most);
  if (!body) throw refuse(413, FORM_TOO_LONG);
  const fields = await parseFields(body, request.headers.get('Content-Type') ?? '');
  const form = new FormData();
  for (const [name, value] of fields) {
    if (!isName(name) || typeof value !== 'string') throw refuse(400, NOT_OURS);
    form.append(name, value);
  }
  if (fields.length > MOST_FIELDS) throw refuse(400, NOT_OURS);
  return form;
}

/**
 * Page middleware: reads every form once, before anything else sees it, and refuses what no form of ours
 * sends: the parser of names builds whatever a name describes. What it lets through is what
 * `request.formData()` answers from then on.
 */
export const takeForm: MiddlewareFunction<Response> = async ({ request, context }) => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (!context.get(viewerContext)) {
    await limitVisitor(request).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      context.set(sentFormContext, null);
      context.set(refusalContext, error);
      throw refuse(error.status, error.message);
    });
  }
  const form = await readForm(request, BODY_BYTES_MAX);
  Object.defineProperty(request, 'formData', { value: async () => form });
};
