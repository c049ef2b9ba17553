import type OpenAI from 'openai';
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

/** What a completion says. A proxy can answer 200 with anything; the SDK then hands out a string or nothing. */
export function readAnswer<T>(completion: OpenAI.ChatCompletion | undefined, shape: z.ZodType<T>): Read<T> {
  const choice = completion?.choices?.[0];
  if (!choice) return { problem: 'empty' };
  const text = choice.message.content ?? '';
  if (choice.message.refusal) return { problem: 'declined', text: choice.message.refusal };
  if (choice.finish_reason === 'length') return { problem: 'cut-off', text };
  const answer = parse(text.replace(/^\s*```(?:json)?|```\s*$/g, ''), shape);
  return answer === undefined ? { problem: 'wrong-shape', text } : { answer, text };
}

function parse<T>(text: string, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
