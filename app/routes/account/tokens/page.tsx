import type { SubmissionResult } from '@conform-to/react';
import { db } from '#app/db/client.ts';
import { TOKEN_DAYS_MAX, TOKEN_NAME_MAX } from '#app/domain/accounts/limits.ts';
import { TokenInput } from '#app/domain/accounts/schema.ts';
import { createToken, listTokens } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf, signedInOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { presentToken } from '#app/routes/account/security/present-session.ts';
import { Card } from '#app/ui/components/card.tsx';
import { FormPanel, SelectField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/page.ts';
import { CreatedToken, TokenRows } from './table.tsx';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

export const meta: Route.MetaFunction = () =>
  pageMeta('API tokens', 'Tokens with which programs of yours use the API of Tidepost.');

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const tokens = await listTokens(db(), actor);
  return { tokens: tokens.map((token) => presentToken(token, actor)) };
}

/** Only this response has the secret. */
export const action = ({ context }: Route.ActionArgs) =>
  submit({ context }, TokenInput, async (input) => {
    const { token, secret } = await createToken(db(), signedInOf(context), input);
    return { id: token.id, name: input.name, secret };
  });

export default function Tokens({ loaderData: { tokens }, actionData }: Route.ComponentProps) {
  const created = actionData && 'secret' in actionData ? actionData : null;
  const refused = actionData && !('secret' in actionData) ? actionData : null;
  return (
    <AccountPage current="tokens" description="For programs that work with your account.">
      {created && <CreatedToken {...created} />}
      <TokenRows tokens={tokens} />
      <NewToken key={created?.id} result={refused} />
      <Card
        title="Signing a program in"
        description="A program that signs in with your email and password is given a token of its own, and sends it with every call."
      >
        <p className="text-sm">
          <code className="break-all">POST /api/v1/auth/login</code>
        </p>
        <p className="mt-1 text-sm">
          <a href="/api/docs" className="link inline-flex min-h-11 items-center">
            All calls of the API
          </a>
        </p>
      </Card>
    </AccountPage>
  );
}

const SCOPES = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
];
const DAYS = [
  { value: '', label: 'Until I revoke it' },
  { value: '30', label: 'For 30 days' },
  { value: '90', label: 'For 90 days' },
  { value: String(TOKEN_DAYS_MAX), label: 'For a year' },
];

type Fields = { name: string; scope: string; days: string };

function NewToken({ result }: { result: SubmissionResult<string[]> | null }) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: 'new-token',
    defaultValue: { scope: 'read' },
    constraint: { name: { required: true, maxLength: TOKEN_NAME_MAX } },
  });
  return (
    <Card
      title="New token"
      description="It speaks for you wherever it is, so give each program its own, with no more than it needs."
    >
      <FormPanel form={form} failure="Failed to make the token">
        <TextField field={fields.name} label="Name" hint="What it is for, so that you know it again." />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField field={fields.scope} label="It may" options={SCOPES} />
          <SelectField field={fields.days} label="It works" options={DAYS} />
        </div>
        <div>
          <SubmitButton busyLabel="Making…">Make token</SubmitButton>
        </div>
      </FormPanel>
    </Card>
  );
}
