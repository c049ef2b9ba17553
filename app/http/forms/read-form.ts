import { data, type MiddlewareFunction, type RouterContextProvider } from 'react-router';
import { formContext, refusalContext, sentFormContext, viewerContext } from '#app/context.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { BODY_BYTES_MAX, FILE_FIELD, FORM_TOO_LONG, PUBLIC_BODY_BYTES_MAX } from '#app/http/limits.ts';
import { limitVisitor } from '#app/http/rate-limit.ts';
import { readBody } from './read-body.ts';
import { carriesFile, readFileForm } from './upload.ts';

const MOST_FIELDS = 100;
const LONGEST_NAME = 60;
/** Names as our forms write them, `publishTimes[0]` among them: two levels deep, an index below 100. */
const NAME = /^[a-z][\w-]*(?:\[\d{0,2}\])?(?:\.[a-z][\w-]*(?:\[\d{0,2}\])?)?$/i;
const TAKEN = new Set(['constructor', 'prototype']);

/** The form of support that needs neither a session nor a link is short. */
const mostBytesAt = (pattern: string) => (/^\/?help$/.test(pattern) ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX);

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
  return check(await parseFields(body, request.headers.get('Content-Type') ?? ''));
}

/** `file`: the name of the field that may be one. */
function check(fields: [string, unknown][], file?: string): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    const isFile = name === file && value instanceof File;
    if (!isName(name) || !(isFile || typeof value === 'string')) throw refuse(400, NOT_OURS);
    if (isFile && form.has(name)) throw refuse(400, NOT_OURS);
    // A browser sends an empty file without a name where none was chosen.
    if (!isFile) form.append(name, value as string);
    else if (value.size > 0 || value.name) form.append(name, value);
  }
  if (fields.length > MOST_FIELDS) throw refuse(400, NOT_OURS);
  return form;
}

/** As `readForm` of the form that may carry a file. */
async function readWithFile(request: Request, userId: string): Promise<FormData> {
  const type = request.headers.get('Content-Type') ?? '';
  const { body, leftOut } = await readFileForm(request, userId);
  const form = check(await parseMultipart(body, type), FILE_FIELD);
  if (leftOut) form.set(FILE_FIELD, leftOut);
  return form;
}

/**
 * Page middleware: reads every form once, before anything else sees it, and refuses what no form of ours
 * sends: the parser of names builds whatever a name describes. Actions get what it lets through from `formDataOf`.
 */
export const formMiddleware: MiddlewareFunction<Response> = async ({ request, url, pattern, context }) => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const viewer = context.get(viewerContext);
  if (!viewer) {
    await limitVisitor(request).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      context.set(sentFormContext, null);
      context.set(refusalContext, error);
      throw refuse(error.status, error.message);
    });
  }
  const form =
    viewer && carriesFile(request, url)
      ? await readWithFile(request, viewer.actor.userId)
      : await readForm(request, mostBytesAt(pattern));
  context.set(formContext, form);
};

/** The form of this request, for an action. */
export function formDataOf(context: Readonly<RouterContextProvider>): FormData {
  const form = context.get(formContext);
  if (!form) throw new Error('No middleware has read this form: its route needs takeForm');
  return form;
}
