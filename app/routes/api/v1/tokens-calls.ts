import { createToken, endToken, listTokens } from '#app/domain/accounts/api-tokens.ts';
import { proveOwner, sendProof } from '#app/domain/accounts/prove-owner.ts';
import { ProofInput, TokenInput } from '#app/domain/accounts/schema.ts';
import { noteProof } from '#app/domain/accounts/sessions.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { SAYS } from './says-accounts.ts';
import { tokenShape } from './shapes.ts';

const handler = apiRoutes({
  '/account/tokens': {
    GET: endpoint('user', null, SAYS.tokens, async ({ db, actor, session }) => ({
      tokens: (await listTokens(db, actor)).map((token) => tokenShape(token, session)),
    })),
    POST: endpoint(
      'user',
      TokenInput,
      SAYS.createToken,
      async ({ db, actor, session, input }) => {
        const signedIn = { userId: actor.userId, sessionId: session.sessionId };
        const { token, secret } = await createToken(db, signedIn, input, { until: session.expiresAt });
        return { token: tokenShape(token, session), secret };
      },
      { isConfirmed: true, isOnce: true },
    ),
  },
  '/account/tokens/:id': {
    DELETE: endpoint('user', null, SAYS.endToken, async ({ db, actor, params }) => {
      await endToken(db, actor, params.id!);
      return { message: 'Token revoked' };
    }),
  },
  '/account/confirm': {
    POST: endpoint('user', ProofInput, SAYS.confirm, async ({ db, actor, session, input }) => {
      await proveOwner(db, actor, input);
      await noteProof(db, session.sessionId);
      return { message: 'Confirmed' };
    }),
  },
  '/account/confirm/code': {
    POST: endpoint('user', null, SAYS.sendCode, async ({ db, actor }) => {
      await sendProof(db, actor);
      return { message: 'A code was sent to your email' };
    }),
  },
});

export const loader = handler;
export const action = handler;
