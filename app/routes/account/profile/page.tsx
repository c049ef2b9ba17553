import { redirect, useSearchParams } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { askerOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import type { Route } from './+types/page.ts';
import { FORMS, type ProfileForm } from './actions.ts';
import { EmailCard } from './email-card.tsx';
import { loadProfile } from './load.ts';
import { NameCard } from './name-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PROFILE } from './profile-address.ts';
import { ShownCard } from './start-page-card.tsx';
import { ThemeCard } from './theme-card.tsx';
import { ZoneCard, ZoneForm } from './time-zone-card.tsx';

export const meta: Route.MetaFunction = () => [
  { title: 'Profile – Tidepost' },
  { name: 'description', content: 'Your name, e-mail address, password, time zone and theme.' },
];

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

const formOf = (url: string) => new URL(url).searchParams.get('form');

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = askerOf(context);
  const { sessionId } = context.get(viewerContext)!;
  const form = formOf(request.url);
  if (form === 'zone') await ZoneForm.load();
  return loadProfile(db(), actor, { userId: actor.userId, sessionId }, form, now);
}

/** Its forms are those that `?form=` names. */
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
      {!isAdmin && <ShownCard since={shownSince} takenOff={takenOff} />}
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
