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
  // What is thrown from here the protocol's library would hand to the assistant as it stands, and write nowhere.
  return faultBody(error);
}

/** What a tool answers, as an assistant reads it and as data; a refusal is an answer it can act upon. */
export async function answered(act: () => Promise<Record<string, unknown>>) {
  try {
    const structuredContent = await act();
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

/** Refuses a token that may only read. */
export function requireWrite({ scope }: FoundSession): void {
  if (scope === 'read') throw new Refusal(403, 'insufficient_scope', 'This token may only read');
}
