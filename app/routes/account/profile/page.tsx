import type { SubmissionResult } from '@conform-to/react';
import { redirect, useRouteLoaderData, useSearchParams } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '#app/domain/accounts/limits.ts';
import { SHOWN_HASHTAGS, SHOWN_TEXT_MAX } from '#app/domain/posts/limits.ts';
import { actorAndTime } from '#app/http/session/session.ts';
import { CloseLink, OpenLink, useFormAt } from '#app/routes/account/inline-form.tsx';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { type Proof, ProofCode, ProofField } from '#app/routes/account/proof-field.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, PasswordField, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { RadioTile } from '#app/ui/form/radio-tile.tsx';
import { SwitchButton } from '#app/ui/form/switch.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { onDemand } from '#app/ui/lazy.tsx';
import { CardErrors, InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { spellNumber } from '#app/ui/text.ts';
import type { Route } from './+types/page.ts';
import { FORMS, type ProfileForm } from './actions.ts';
import { EmailCard } from './email-card.tsx';
import { loadProfile, type Profile } from './load.ts';
import { formAt, PROFILE } from './paths.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Profile', 'Your name, e-mail address, password, time zone and theme.');

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

const formOf = (url: string) => new URL(url).searchParams.get('form');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  const { sessionId } = context.get(viewerContext)!;
  const form = formOf(request.url);
  if (form === 'zone') await ZoneForm.load();
  return loadProfile(db(), actor, { userId: actor.userId, sessionId }, form, now);
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = formOf(request.url) ?? '';
  if (!Object.hasOwn(FORMS, form)) throw redirect(PROFILE);
  return FORMS[form as ProfileForm]({ request, context });
}

export default function ProfilePage({ loaderData, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const form = query.get('form');
  const resultOf = (name: ProfileForm) => (form === name ? actionData : undefined);
  const { name, email, change, proof, timeZone, time, zones, isAdmin, shownSince, takenOff } = loaderData;
  return (
    <AccountPage current="profile" description="Who you are, and what you sign in with.">
      <NameCard name={name} result={resultOf('name')} />
      <EmailCard
        email={email}
        change={change}
        proof={proof}
        isOpen={form === 'email'}
        result={resultOf('email') ?? resultOf('code')}
      />
      <PasswordCard proof={proof} isOpen={form === 'password'} result={resultOf('password')} />
      <ZoneCard
        timeZone={timeZone}
        time={time}
        zones={zones}
        isOpen={form === 'zone'}
        result={resultOf('zone')}
      />
      <ThemeCard />
      {!isAdmin && <VoiceCard />}
      {!isAdmin && <StartPageCard since={shownSince} takenOff={takenOff} />}
    </AccountPage>
  );
}

const VoiceCard = () => (
  <Card
    title="Your voice"
    description="For whom you write, how it sounds, and what the writer knows about you."
    actions={
      <ButtonLink to="/app/voice" variant="secondary" size="sm">
        Open your voice
      </ButtonLink>
    }
  />
);

type Result = { result: SubmissionResult<string[]> | undefined };
type NameCardProps = { name: string } & Result;

const NameCard = (props: NameCardProps) => (
  <Card id="name" title="Name">
    <NameForm key={props.name} {...props} />
  </Card>
);

function NameForm({ name, result }: NameCardProps) {
  const [form, fields] = useFormOf<{ name: string }>(result, {
    id: 'name-form',
    defaultValue: { name },
    constraint: { name: { required: true, maxLength: NAME_MAX } },
  });
  return (
    <FormPanel
      form={form}
      action={useFormAt('name', 'name')}
      failure="Failed to save your name"
      preventScrollReset
    >
      <TextField
        field={fields.name}
        label="Full name"
        hint="Mails greet you with it, and previews of posts show it until LinkedIn is connected."
        autoComplete="name"
        dir="auto"
      />
      <div>
        <SubmitButton busyLabel="Saving…">Save name</SubmitButton>
      </div>
    </FormPanel>
  );
}

type PasswordCardProps = { proof: Proof; isOpen: boolean } & Result;

function PasswordCard({ proof, isOpen, result }: PasswordCardProps) {
  const hasPassword = proof.kind === 'password';
  return (
    <Card
      id="password"
      title="Password"
      description={
        hasPassword
          ? 'A new one signs you out everywhere else, and revokes your API tokens.'
          : 'You sign in without one. With a password you can sign in with your email, too.'
      }
      actions={
        !isOpen && (
          <OpenLink form="password" card="password">
            {hasPassword ? 'Change password' : 'Set a password'}
          </OpenLink>
        )
      }
    >
      <InlineErrors isHere={(card) => card === 'password'} className="mb-4" />
      {isOpen && <NewPassword proof={proof} result={result} />}
    </Card>
  );
}

const passwordConstraint = { required: true, minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX };
const constraint = {
  password: { required: true },
  otp: { required: true },
  newPassword: passwordConstraint,
  confirmPassword: passwordConstraint,
};
type Fields = { password: string; otp: string; newPassword: string; confirmPassword: string };

function NewPassword({ proof, result }: Omit<PasswordCardProps, 'isOpen'>) {
  const [form, fields] = useFormOf<Fields>(result, { id: 'password-form', constraint });
  return (
    <>
      <ProofCode proof={proof} action={useFormAt('prove-password', 'password')} />
      <FormPanel
        form={form}
        action={useFormAt('password', 'password')}
        failure="Failed to save the password"
        preventScrollReset
        warnsOnLeave={false}
      >
        <ProofField proof={proof} fields={fields} autoFocus />
        <PasswordField
          field={fields.newPassword}
          label="New password"
          hint={`At least ${PASSWORD_MIN} characters.`}
          autoComplete="new-password"
        />
        <PasswordField field={fields.confirmPassword} label="Confirm password" autoComplete="new-password" />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel="Saving…">Save password</SubmitButton>
          <CloseLink card="password" />
        </div>
      </FormPanel>
    </>
  );
}

const START_PAGE = 'start-page';

const StartPageCard = ({ since, takenOff }: Pick<Profile, 'takenOff'> & { since: string | null }) => (
  <Card
    id={START_PAGE}
    title="Show my newest post on the start page"
    description={`Visitors of Tidepost then see of your newest published post: its topic, the first ${SHOWN_TEXT_MAX} characters, up to ${spellNumber(SHOWN_HASHTAGS)} of its hashtags, its picture, and a link to it on LinkedIn, where your name stands. Nothing else of yours is shown.`}
    actions={
      <SwitchButton
        isOn={since !== null}
        label="Show my newest post on the start page"
        name="showsPosts"
        action={formAt('show', START_PAGE)}
        failure="Failed to change what the start page shows"
      />
    }
  >
    <CardErrors id={START_PAGE} />
    <p className="text-sm text-ink-2">
      {since
        ? `On since ${since}. You can switch it off`
        : 'Off. If you switch it on, you can switch it off again'}{' '}
      at any time: we stop showing it at once, and what others keep of our list is gone within a minute.
    </p>
    {takenOff.map(({ postId, beginning, reason, on }) => (
      <p key={postId} className="mt-3 text-sm text-ink-2" dir="auto">
        On {on} we took “{beginning}” off the start page: {reason}
      </p>
    ))}
  </Card>
);

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function ThemeCard() {
  const { theme = 'system' } = useRouteLoaderData<{ theme?: string }>('root') ?? {};
  return (
    <Card id="theme" title="Colours" description="For this browser. System follows your device.">
      <ActionForm action="/theme" failure="Failed to change the colours" className="form" preventScrollReset>
        <fieldset key={theme} className="grid gap-3 sm:grid-cols-3">
          <legend className="sr-only">Colours</legend>
          {THEMES.map((tile) => (
            <RadioTile key={tile.value} name="theme" defaultChecked={tile.value === theme} {...tile} />
          ))}
        </fieldset>
        <div>
          <SubmitButton variant="secondary" busyLabel="Saving…">
            Use these colours
          </SubmitButton>
        </div>
      </ActionForm>
    </Card>
  );
}

/** Loaded on demand: it is rarely opened, and lists every time zone. */
const ZoneForm = onDemand(async () => (await import('./zone-form.tsx')).ZoneForm);

type ZoneCardProps = Pick<Profile, 'timeZone' | 'time' | 'zones'> & Result & { isOpen: boolean };

const ZoneCard = ({ timeZone, time, zones, isOpen, result }: ZoneCardProps) => (
  <Card
    id="zone"
    title="Time zone"
    description={`${timeZone.replaceAll('_', ' ')}, where it is ${time}.`}
    actions={
      !isOpen && (
        <OpenLink form="zone" card="zone">
          Change time zone
        </OpenLink>
      )
    }
  >
    {isOpen && <ZoneForm timeZone={timeZone} zones={zones} result={result} />}
  </Card>
);
