import { Mail } from 'lucide-react';
import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { listOptOuts, setMailChoices } from '#app/domain/email/choices.ts';
import { MailsForm } from '#app/domain/email/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { FormAlert } from '#app/ui/form/errors.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/page.ts';
import { MANDATORY_MAILS, presentChoices } from './labels.ts';

const EMAILS = '/app/account/emails';

export const meta: Route.MetaFunction = () =>
  pageMeta('Emails', 'The mails that Tidepost sends you, each to be chosen or left out.');

export async function loader({ context }: Route.LoaderArgs) {
  const { userId, email } = actorOf(context);
  return { email, choices: presentChoices(await listOptOuts(db(), userId)) };
}

export const action = ({ context }: Route.ActionArgs) =>
  submit({ context }, MailsForm, async ({ wanted }) => {
    await setMailChoices(db(), actorOf(context).userId, wanted);
    setFlash(context, 'success', 'Your choice of emails is saved');
    return redirect(`${EMAILS}#choices`);
  });

export default function Emails({ loaderData, actionData }: Route.ComponentProps) {
  const { email, choices } = loaderData;
  return (
    <AccountPage
      current="emails"
      description={
        <>
          What we write to <span className="break-all text-ink">{email}</span> about.{' '}
          <Link to="/app/account#email" className="link">
            Change the address
          </Link>
        </>
      }
    >
      <Card id="choices" title="Emails you can do without" description="Untick what you do not want to get.">
        <Choices
          choices={choices}
          errors={Object.values(actionData?.error ?? {}).flatMap((each) => each ?? [])}
        />
      </Card>
      <Card title="Emails that always come" description="They keep your account and your posts safe.">
        <ul className="grid gap-2 text-sm">
          {MANDATORY_MAILS.map((text) => (
            <li key={text} className="flex items-start gap-2">
              <Mail aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-3" />
              {text}
            </li>
          ))}
        </ul>
      </Card>
    </AccountPage>
  );
}

type ChoicesProps = { choices: ReturnType<typeof presentChoices>; errors: string[] };

const Choices = ({ choices, errors }: ChoicesProps) => (
  <ActionForm action={EMAILS} failure="Failed to save your choice of emails" preventScrollReset>
    <FormAlert id="choices-error" errors={errors} />
    <fieldset key={JSON.stringify(choices)} className="grid divide-y divide-line">
      <legend className="sr-only">What to mail about</legend>
      {choices.map(({ value, label, text, isWanted }) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-start gap-3 py-3">
          <input
            type="checkbox"
            name="wanted"
            value={value}
            defaultChecked={isWanted}
            className="mt-0.5 size-5 shrink-0"
          />
          <span className="min-w-0">
            <span className="block font-medium">{label}</span>
            <span className="block text-sm text-ink-2">{text}</span>
          </span>
        </label>
      ))}
    </fieldset>
    <div className="mt-4">
      <SubmitButton busyLabel="Saving…">Save emails</SubmitButton>
    </div>
  </ActionForm>
);
