import { z } from 'zod';
import { TOKEN_SCOPES } from '#app/domain/accounts/limits.ts';
import { ProofInput } from '#app/domain/accounts/schema.ts';
import { email, id, instant, Message, name, type Says } from '#app/http/api-says.ts';

const User = z
  .object({
    _id: id,
    name,
    email,
    role: z.enum(['user', 'admin']),
    verified: z.boolean(),
  })
  .meta({ id: 'User' });

const Token = z
  .object({
    _id: id,
    name: name.nullable(),
    scope: z.enum(TOKEN_SCOPES),
    device: z.string().nullable(),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
    expiresAt: instant.nullable(),
    current: z.boolean().meta({ description: 'Whether this is the one that asks' }),
  })
  .meta({ id: 'Token' });

const SignedIn = z.object({ token: z.string(), user: User });
const EMAIL = 'ada@example.com';
const PASSWORD = 'four quiet words here';

export const SAYS = {
  signup: {
    does: 'Signs up, and mails a code to the address',
    answers: Message.extend({ email }),
    status: 201,
    sends: { name: 'Ada Marlow', email: EMAIL, password: PASSWORD },
  },
  login: {
    does: 'Signs in with a password, and with the code of the second step where there is one',
    answers: SignedIn,
    sends: { email: EMAIL, password: PASSWORD },
  },
  logout: { does: 'Ends the token that asks', answers: Message },
  me: { does: 'Says whose token asks', answers: z.object({ user: User }) },
  verify: {
    does: 'Proves an address by the code that was mailed to it, and signs in',
    answers: SignedIn,
    sends: { email: EMAIL, otp: '123456' },
  },
  resend: {
    does: 'Mails a new code to an address that is not proved',
    answers: Message,
    sends: { email: EMAIL },
  },
  verifyByLink: { does: 'Proves an address by the token of a mailed link', answers: Message },
  provider: {
    does: 'Gives the address at which a person signs in with this provider',
    answers: z.object({ authUrl: z.url() }),
  },
  forgot: { does: 'Mails a code that resets the password', answers: Message, sends: { email: EMAIL } },
  reset: {
    does: 'Sets a new password and ends every session',
    answers: Message.extend({ unlinked: z.array(z.string()).optional() }),
    sends: { email: EMAIL, otp: '123456', newPassword: PASSWORD },
  },
  tokens: { does: 'Lists the tokens of the account', answers: z.object({ tokens: z.array(Token) }) },
  createToken: {
    does: 'Makes a token for a program; its secret is shown once',
    answers: z.object({ token: Token, secret: z.string() }),
    status: 201,
    sends: { name: 'Reports', scope: 'read' },
  },
  endToken: { does: 'Revokes a token', answers: Message },
  confirm: {
    does: 'Confirms with the password, or a mailed code, what needs that: the token may do it for some minutes',
    answers: Message,
    sends: { password: PASSWORD },
  },
  sendCode: { does: 'Mails a code to confirm with, to who has no password', answers: Message },
  export: {
    does: 'Gives everything that is kept about the account, as a file',
    answers: z.record(z.string(), z.unknown()),
  },
  leave: {
    does: 'Asks for the account to be erased, with the password or a mailed code',
    answers: Message.extend({ deletesAt: instant }),
    body: ProofInput,
    sends: { password: PASSWORD },
  },
} satisfies Record<string, Says>;
