import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { SocialStart } from '#app/domain/accounts/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { type ProviderName, redirectToProvider, requireProvider } from '#app/http/oauth/oauth.ts';
import { limit } from '#app/http/rate-limit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { findReturnTo } from '#app/http/session/return-to-cookie.ts';
import { parseReturnTo } from '#app/routes/auth/return-to.ts';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/begin.ts';
import { SocialButtons } from './buttons.tsx';

export const meta: Route.MetaFunction = () =>
  pageMeta('Sign in', 'Go on to LinkedIn or Google to sign in to Tidepost in this browser.');

/** API clients send a browser here, because the OAuth state is bound to the browser that starts. */
export function loader({ params, context }: Route.LoaderArgs) {
  const name = verbOf(PROVIDER_NAMES, params.provider);
  if (context.get(viewerContext)) throw redirect('/dashboard');
  const provider = params.provider as ProviderName;
  try {
    requireProvider(provider);
  } catch {
    throw redirect('/login');
  }
  return { provider, name };
}

export function action({ request, context, params }: Route.ActionArgs) {
  const name = verbOf(PROVIDER_NAMES, params.provider);
  const provider = params.provider as ProviderName;
  const query = new URL(request.url).searchParams;
  const isSignUp = query.get('from') === 'signup';
  const page = isSignUp ? '/signup' : '/login';
  return press({ context }, page, async () => {
    await limit(request, 'social', provider);
    const { timeZone } = SocialStart.parse(Object.fromEntries(formDataOf(context)));
    const target = parseReturnTo(query.get('to')) ?? (await findReturnTo(request)) ?? null;
    const user = { userId: null, sessionId: null, timeZone: timeZone ?? null };
    return redirectToProvider(request, { provider, intent: 'sign-in', target, ...user }).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      const message = `Failed to initiate ${name} ${isSignUp ? 'signup' : 'login'}`;
      throw new Refusal(error.status, error.code, message);
    });
  });
}

const LEADS: Record<ProviderName, string> = {
  google: 'Google tells us who you are, and nothing else.',
  linkedin:
    'LinkedIn tells us who you are, and asks whether Tidepost may publish for you. It does so only if you say yes here, too.',
};

export default function BeginSocial({ loaderData: { provider, name } }: Route.ComponentProps) {
  return (
    <AuthLayout title={`Sign in with ${name}`} lead={LEADS[provider]}>
      <SocialButtons providers={[provider]} from="login" />
    </AuthLayout>
  );
}
