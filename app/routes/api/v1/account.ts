import { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { findReauthMethod, reauthenticate, sendReauthCode } from '#app/domain/accounts/reauthenticate.ts';
import { ReauthInput } from '#app/domain/accounts/schema.ts';
import { recordReauthentication } from '#app/domain/accounts/sign-in/sessions.ts';
import { exportAccount } from '#app/domain/data-export/export.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { instant, Message } from '#app/http/api/schemas.ts';
import { ACCOUNT_EXPORT, sendFile } from '#app/http/download.ts';

const EXAMPLE = { password: 'four quiet words here' };

/** Without a proof, the response says which one the account needs. If that is a code, it is emailed. */
async function prove(db: Db, actor: Actor, proof: ReauthInput): Promise<void> {
  if (!proof.password && !proof.otp && (await findReauthMethod(db, actor)) === 'code') {
    await sendReauthCode(db, actor);
    throw new Refusal(422, 'invalid', 'A code was mailed to you. Send it as otp', { field: 'otp' });
  }
  await reauthenticate(db, actor, proof);
}

export const accountCalls: Calls = {
  '/account/confirm': {
    POST: endpoint({
      summary:
        'Confirms with the password or an emailed code; for some minutes the token may do what needs that',
      access: 'user',
      input: ReauthInput,
      example: EXAMPLE,
      response: Message,
      handle: async ({ db, actor, session, input }) => {
        await reauthenticate(db, actor, input);
        await recordReauthentication(db, session.sessionId);
        return { message: 'Confirmed' };
      },
    }),
  },
  '/account/confirm/code': {
    POST: endpoint({
      summary: 'Emails a code to confirm with, for an account without a password',
      access: 'user',
      response: Message,
      handle: async ({ db, actor }) => {
        await sendReauthCode(db, actor);
        return { message: 'A code was sent to your email' };
      },
    }),
  },
  '/account/export': {
    GET: endpoint({
      summary: 'Returns everything stored about the account, as a file',
      access: 'user',
      scope: 'write',
      response: z.record(z.string(), z.unknown()),
      handle: ({ db, actor, request }) =>
        sendFile(request, actor, { ...ACCOUNT_EXPORT, lines: exportAccount(db, actor) }),
    }),
  },
  '/account': {
    DELETE: endpoint({
      summary: 'Schedules the account for deletion, with the password or an emailed code',
      access: 'user',
      input: ReauthInput,
      hasBody: true,
      example: EXAMPLE,
      response: Message.extend({ deletesAt: instant }),
      handle: async ({ db, actor, input }) => {
        await prove(db, actor, input);
        const { eraseAt } = await requestDeletion(db, actor, null);
        const message = 'Your account will be deleted. Until then you can keep it by the link in our mail.';
        return { message, deletesAt: eraseAt.toISOString() };
      },
    }),
  },
};
