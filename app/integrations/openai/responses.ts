import type { z } from 'zod';

/** Why there is no answer of the requested shape. */
export type Problem =
  | 'declined'
  | 'filtered'
  | 'against-policy'
  | 'cut-off'
  | 'empty'
  | 'wrong-shape'
  | 'too-much-context';

export type ParsedMessage<T> =
  | { answer: T; problem?: undefined; text: string }
  | { answer?: undefined; problem: Problem; text?: string };

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The first message of a completion, or undefined: a proxy may respond with 200 and anything. */
export function firstMessage(
  completion: unknown,
): { message: Json; finish: unknown; usage: Json; model: unknown } | undefined {
  if (!isObject(completion) || !Array.isArray(completion.choices)) return undefined;
  const [choice] = completion.choices as unknown[];
  if (!isObject(choice)) return undefined;
  const { message, finish_reason: finish } = choice;
  const { usage, model } = completion;
  // Only a content filter may omit the message.
  if (!isObject(message) && finish !== 'content_filter') return undefined;
  return { message: isObject(message) ? message : {}, finish, usage: isObject(usage) ? usage : {}, model };
}

/** JSON may escape each letter of a non-Latin script with six characters. */
const TEXT_MAX = 50_000;

/** Parses the answer in a message, without reasoning (`reasoning_content`, a `<think>` block). */
export function parseMessage<T>(
  { message, finish }: { message: Json; finish: unknown },
  shape: z.ZodType<T>,
): ParsedMessage<T> {
  const { text, refusal } = partsOf(message);
  if (refusal) return { problem: 'declined', text: refusal };
  if (finish === 'content_filter') return { problem: 'filtered', text };
  if (finish === 'length') return { problem: 'cut-off', text };
  if (!text) return { problem: 'empty' };
  if (text.length > TEXT_MAX) return { problem: 'wrong-shape', text: text.slice(0, TEXT_MAX) };
  const answer = parse(text, shape);
  return answer === undefined ? { problem: 'wrong-shape', text } : { answer, text };
}

/** Text and refusal are either strings or parts of the content. */
function partsOf({ content, refusal }: Json): { text: string; refusal: string } {
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content, refusal }];
  const join = (name: 'text' | 'refusal') =>
    parts.map((part) => (isObject(part) && typeof part[name] === 'string' ? part[name] : '')).join('');
  return { text: withoutReasoning(join('text')).trim(), refusal: join('refusal') };
}

/** Some servers send only the end of a `<think>` block. After a block without an end there is no text. */
function withoutReasoning(text: string): string {
  if (/^\s*[{`]/.test(text)) return text;
  const end = /<\/think(ing)?>/i.exec(text);
  if (end) return text.slice(end.index + end[0].length);
  return /^\s*<think/i.test(text) ? '' : text;
}

/** Parses the whole text, the content of a code fence, or the text between the outermost braces. */
function parse<T>(text: string, shape: z.ZodType<T>): T | undefined {
  const fenced = /```(?:json)?\s*\n?([\s\S]*?)```/i.exec(text)?.[1];
  const inner = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced, inner]) {
    try {
      const { data } = shape.safeParse(JSON.parse(candidate ?? ''));
      if (data !== undefined) return data;
    } catch {}
  }
  return undefined;
}
