import type { z } from 'zod';

/**
 * Why there is no answer of the asked shape: the model declined; a filter of the server took its text; the
 * server refuses the subject; the room was not enough; nothing came; it was not JSON of the shape; the
 * messages are longer than the model can read.
 */
export type Problem =
  | 'declined'
  | 'filtered'
  | 'against-policy'
  | 'cut-off'
  | 'empty'
  | 'wrong-shape'
  | 'too-much-context';

export type Read<T> =
  | { answer: T; problem?: undefined; text: string }
  | { answer?: undefined; problem: Problem; text?: string };

type Loose = Record<string, unknown>;
const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

/** The first message of a completion, or undefined: a proxy can answer 200 with anything. */
export function messageIn(
  completion: unknown,
): { message: Loose; finish: unknown; usage: Loose; model: unknown } | undefined {
  if (!isLoose(completion) || !Array.isArray(completion.choices)) return undefined;
  const [choice] = completion.choices as unknown[];
  if (!isLoose(choice)) return undefined;
  const { message, finish_reason: finish } = choice;
  const { usage, model } = completion;
  // A filter may leave the message out; nothing else may.
  if (!isLoose(message) && finish !== 'content_filter') return undefined;
  return { message: isLoose(message) ? message : {}, finish, usage: isLoose(usage) ? usage : {}, model };
}

/** The longest text that is read as an answer. A post in another script than ours can come in six characters a letter. */
const MOST_CHARACTERS = 50_000;

/** What a message says. Reasoning beside the text (`reasoning_content`, a `<think>` block) is not part of it. */
export function readMessage<T>(
  { message, finish }: { message: Loose; finish: unknown },
  shape: z.ZodType<T>,
): Read<T> {
  const { text, refusal } = partsOf(message);
  if (refusal) return { problem: 'declined', text: refusal };
  if (finish === 'content_filter') return { problem: 'filtered', text };
  if (finish === 'length') return { problem: 'cut-off', text };
  if (!text) return { problem: 'empty' };
  if (text.length > MOST_CHARACTERS) return { problem: 'wrong-shape', text: text.slice(0, MOST_CHARACTERS) };
  const answer = parse(text, shape);
  return answer === undefined ? { problem: 'wrong-shape', text } : { answer, text };
}

/** Text and refusal, each a string or parts of the content. */
function partsOf({ content, refusal }: Loose): { text: string; refusal: string } {
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content, refusal }];
  const said = (name: 'text' | 'refusal') =>
    parts.map((part) => (isLoose(part) && typeof part[name] === 'string' ? part[name] : '')).join('');
  return { text: withoutThinking(said('text')).trim(), refusal: said('refusal') };
}

/** Some templates open the block themselves, so that only its end comes; behind one that never ends there is no text. */
function withoutThinking(text: string): string {
  if (/^\s*[{`]/.test(text)) return text;
  const end = /<\/think(ing)?>/i.exec(text);
  if (end) return text.slice(end.index + end[0].length);
  return /^\s*<think/i.test(text) ? '' : text;
}

/** The JSON of the shape in a text: all of it, what stands in a code fence, or what stands between the outer brackets. */
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
