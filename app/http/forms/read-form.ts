import { data, type MiddlewareFunction, type RouterContextProvider } from 'react-router';
import { formContext, refusalContext, sentFormContext, viewerContext } from '#app/context.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { BODY_BYTES_MAX, FILE_FIELD, FORM_TOO_LONG, PUBLIC_BODY_BYTES_MAX } from '#app/http/limits.ts';
import { limitVisitor } from '#app/http/rate-limit.ts';
import { readBody } from './read-body.ts';
import { carriesFile, readFileForm } from './upload.ts';

const FIELDS_MAX = 100;
const NAME_MAX = 60;
/** The names in our forms, such as `publishTimes[0]`: at most two levels, and indexes below 100. */
const NAME = /^[a-z][\w-]*(?:\[\d{0,2}\])?(?:\.[a-z][\w-]*(?:\[\d{0,2}\])?)?$/i;
const RESERVED = new Set(['constructor', 'prototype']);

/** The public support form is short. */
const maxBytesAt = (pattern: string) => (/^\/?help$/.test(pattern) ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX);

const NOT_OURS = 'This is not one of our forms. Open the page again and try once more.';

const refuse = (status: number, sentence: string) => data(sentence, { status });

const isName = (name: string) =>
  name.length <= NAME_MAX && NAME.test(name) && !name.split(/[.[\]]/).some((part) => RESERVED.has(part));

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

async function parseMultipart(body: Buffer<ArrayBuffer>, type: string): Promise<[string, unknown][]> {
  if (count(body.toString('latin1'), /content-disposition/gi) > FIELDS_MAX) throw refuse(400, NOT_OURS);
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
  if (count(text, /&/g) >= FIELDS_MAX) throw refuse(400, NOT_OURS);
  return [...new URLSearchParams(text)];
}

/** Parses a form. Throws an error response if it is not a form, or too large, or has fields that ours never have. */
export async function readForm(request: Request, maxBytes: number): Promise<FormData> {
  const body = await readBody(request, maxBytes);
  if (!body) throw refuse(413, FORM_TOO_LONG);
  return check(await parseFields(body, request.headers.get('Content-Type') ?? ''));
}

function check(fields: [string, unknown][], fileField?: string): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    const isFile = name === fileField && value instanceof File;
    if (!isName(name) || !(isFile || typeof value === 'string')) throw refuse(400, NOT_OURS);
    if (isFile && form.has(name)) throw refuse(400, NOT_OURS);
    // Browsers send an empty file without a name when none was chosen.
    if (!isFile) form.append(name, value as string);
    else if (value.size > 0 || value.name) form.append(name, value);
  }
  if (fields.length > FIELDS_MAX) throw refuse(400, NOT_OURS);
  return form;
}

async function readWithFile(request: Request, userId: string): Promise<FormData> {
  const type = request.headers.get('Content-Type') ?? '';
  const { body, omission } = await readFileForm(request, userId);
  const form = check(await parseMultipart(body, type), FILE_FIELD);
  if (omission) form.set(FILE_FIELD, omission);
  return form;
}

/**
 * Page middleware: parses every form once, and rejects names that no form of ours has, because conform builds whatever
 * object a name describes. Actions get the result from `formDataOf`.
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
      : await readForm(request, maxBytesAt(pattern));
  context.set(formContext, form);
};

export function formDataOf(context: Readonly<RouterContextProvider>): FormData {
  const form = context.get(formContext);
  if (!form) throw new Error('No middleware has read this form: its route needs formMiddleware');
  return form;
}
