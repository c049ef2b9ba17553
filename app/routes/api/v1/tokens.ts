import { z } from 'zod';
import { TOKEN_SCOPES } from '#app/domain/accounts/limits.ts';
import { TokenInput } from '#app/domain/accounts/schema.ts';
import {
  createToken,
  endToken,
  listTokens,
  type Token as TokenRow,
} from '#app/domain/accounts/sign-in/api-tokens.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { id, instant, iso, Message, name } from '#app/http/api/schemas.ts';

const Token = z
  .object({
    _id: id,
    name: name.nullable(),
    scope: z.enum(TOKEN_SCOPES),
    device: z.string().nullable(),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
    expiresAt: instant.nullable(),
    current: z.boolean().meta({ description: 'Whether this is the token of the request' }),
  })
  .meta({ id: 'Token' });
type Token = z.infer<typeof Token>;

/** A token that a program got by signing in has no name. */
const tokenShape = (token: TokenRow, { sessionId }: { sessionId: string }): Token => ({
  _id: token.id,
  name: token.name,
  scope: token.scope,
  device: token.device,
  createdAt: token.createdAt.toISOString(),
  lastUsedAt: iso(token.lastUsedAt),
  expiresAt: iso(token.expiresAt),
  current: token.id === sessionId,
});

export const tokenCalls: Calls = {
  '/account/tokens': {
    GET: endpoint({
      summary: 'Lists the tokens of the account',
      access: 'user',
      response: z.object({ tokens: z.array(Token) }),
      handle: async ({ db, actor, session }) => ({
        tokens: (await listTokens(db, actor)).map((token) => tokenShape(token, session)),
      }),
    }),
    POST: endpoint({
      summary: 'Creates a token for a program; its secret is shown once',
      access: 'user',
      input: TokenInput,
      example: { name: 'Reports', scope: 'read' },
      requiresRecentAuth: true,
      isIdempotent: true,
      status: 201,
      response: z.object({ token: Token, secret: z.string() }),
      handle: async ({ db, actor, session, input }) => {
        const signedIn = { userId: actor.userId, sessionId: session.sessionId };
        const { token, secret } = await createToken(db, signedIn, input, { until: session.expiresAt });
        return { token: tokenShape(token, session), secret };
      },
    }),
  },
  '/account/tokens/:id': {
    DELETE: endpoint({
      summary: 'Revokes a token',
      access: 'user',
      response: Message,
      handle: async ({ db, actor, params }) => {
        await endToken(db, actor, params.id!);
        return { message: 'Token revoked' };
      },
    }),
  },
};
