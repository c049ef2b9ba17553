import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import type { FoundSession } from '#app/domain/accounts/sign-in/sessions.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { faultBody } from '#app/http/api/responses.ts';
import { validationMessage } from '#app/http/api/validation-messages.ts';

export type Caller = { db: Db; actor: Actor; session: FoundSession };

function refusalOf(error: unknown): { message: string; code: string } {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) return { message: validationMessage(error).message, code: 'invalid' };
  // The SDK would send the message of a thrown error to the assistant, and log nothing.
  return faultBody(error);
}

/** Runs a tool and returns its result as text and as structured content. A Refusal becomes an `isError` result. */
export async function toolResult(run: () => Promise<Record<string, unknown>>) {
  try {
    const structuredContent = await run();
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  } catch (error) {
    const { message, code } = refusalOf(error);
    const text = `${message} (${code})`;
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

export const READS = { readOnlyHint: true, openWorldHint: false };
export const CHANGES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

export function requireWrite({ scope }: FoundSession): void {
  if (scope === 'read') throw new Refusal(403, 'insufficient_scope', 'This token may only read');
}
