import type { Db } from '#app/db/client.ts';
import { findProofKind, proveOwner, sendProof } from '#app/domain/accounts/prove-owner.ts';
import { ProofInput } from '#app/domain/accounts/schema.ts';
import type { Actor } from '#app/domain/actor.ts';
import { exportAccount } from '#app/domain/leaving/account-file.ts';
import { askToLeave } from '#app/domain/leaving/leave.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { apiRoutes, bodyOf, endpoint } from '#app/http/api.ts';
import { EXPORT_OF_ALL, sendFile } from '#app/http/download.ts';
import { SAYS } from './says-accounts.ts';

/** Without a proof a program is told which one is needed; a code is mailed then. */
async function prove(db: Db, actor: Actor, proof: ProofInput): Promise<void> {
  if (!proof.password && !proof.otp && (await findProofKind(db, actor)) === 'code') {
    await sendProof(db, actor);
    throw new Refusal(422, 'invalid', 'A code was mailed to you. Send it as otp', { field: 'otp' });
  }
  await proveOwner(db, actor, proof);
}

const handler = apiRoutes({
  '/account/export': {
    GET: endpoint(
      'user',
      null,
      SAYS.export,
      ({ db, actor, request }) =>
        sendFile(request, actor, { ...EXPORT_OF_ALL, lines: exportAccount(db, actor) }),
      { isMore: true },
    ),
  },
  '/account': {
    DELETE: endpoint('user', null, SAYS.leave, async ({ db, actor, request }) => {
      await prove(db, actor, await bodyOf(request, ProofInput));
      const { eraseAt } = await askToLeave(db, actor, null);
      const message = 'Your account will be deleted. Until then you can keep it by the link in our mail.';
      return { message, deletesAt: eraseAt.toISOString() };
    }),
  },
});

export const loader = handler;
export const action = handler;
