import { db } from '#app/db/client.ts';
import { listSessions } from '#app/domain/accounts/sign-in/session-list.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { actorOf, sessionIdOf } from '#app/http/session/session.ts';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { AdminsNeedTwoSteps, PasskeysCard, TwoStepCard } from '#app/routes/account/two-step/cards.tsx';
import { loadTwoStep } from '#app/routes/account/two-step/load.ts';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/page.ts';
import { loadMethods } from './load.ts';
import { presentSession } from './present-session.ts';
import { SessionsCard } from './sessions-card.tsx';
import { SignInMethods } from './sign-in-methods.tsx';

export const meta: Route.MetaFunction = () =>
  pageMeta('Security', 'Your password, second steps, passkeys and where you are signed in.');

export async function loader({ context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const sessionId = sessionIdOf(context);
  const [methods, sessions, twoStep] = await Promise.all([
    loadMethods(db(), actor),
    listSessions(db(), actor, databaseNow(), sessionId),
    loadTwoStep(actor),
  ]);
  return {
    methods,
    twoStep,
    sessions: sessions.map((session) => presentSession(session, sessionId, actor)),
    total: Number(sessions[0]?.total ?? 0),
  };
}

export default function Security({ loaderData }: Route.ComponentProps) {
  const { methods, sessions, total, twoStep } = loaderData;
  return (
    <AccountPage current="security" description="How you sign in, and where you are signed in.">
      {twoStep.isMissing && <AdminsNeedTwoSteps />}
      <SignInMethods {...methods} />
      <TwoStepCard {...twoStep} />
      <PasskeysCard {...twoStep} />
      <SessionsCard sessions={sessions} total={total} />
    </AccountPage>
  );
}
