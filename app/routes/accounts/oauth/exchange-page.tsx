import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { data, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { redeemExchangeCode } from '#app/domain/accounts/oauth/exchange-codes.ts';
import { socialErrorText } from '#app/domain/accounts/schema.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import { findPendingConnection } from '#app/domain/linkedin/connect/pending.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { welcome } from '#app/http/rate-limit.ts';
import { requiresSecondStep } from '#app/http/session/second-step-cookie.ts';
import { signIn } from '#app/http/session/session.ts';
import { arrivalCookie, offerCookie } from '#app/http/session/social-cookies.ts';
import { whereTo } from '#app/routes/accounts/return-to.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import type { Route } from './+types/exchange-page.ts';

const PAGE = '/auth/oauth-callback';
/** Said by an address, and believed when it is so. */
const CONNECTED = 'linkedin_connected';
/** The page's own refresh counts whole seconds; scripts go a little earlier. */
const SECONDS = 2;
const SCRIPTS_AFTER_MS = 1_500;
/** The address can hold a key, so no other site is told it. */
const PRIVATE = { 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex, nofollow' };

export const meta: Route.MetaFunction = ({ data }) => [
  { title: 'Signing in – Tidepost' },
  {
    name: 'description',
    content: 'You come back from LinkedIn or Google, and Tidepost opens where you left it.',
  },
  ...(data ? [{ httpEquiv: 'refresh', content: `${SECONDS};url=${data.to}` }] : []),
];

export const headers: Route.HeadersFunction = () => PRIVATE;

const show = (shown: { isIn: boolean; title: string; lead: string; to: string }, status = 200) =>
  data(shown, { status, headers: PRIVATE });

/** What an address says went wrong: a word is repeated, and anything else is not. */
const isWord = (error: string) => /^[a-z_]{1,40}$/.test(error);

function showError(error: string) {
  const lead = socialErrorText(error);
  const to = lead ? `/login?failed=${error}` : '/login';
  const title = isWord(error) ? `Authentication failed: ${error}` : 'Failed to complete authentication';
  return show({ isIn: false, title, lead: lead ?? 'Taking you back to where you sign in…', to }, 400);
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const error = query.get('error');
  if (error !== null) return showError(error);
  const arrival = await arrivalCookie.read(request);
  const token = query.get('token');
  if (token !== null) return exchange(request, token, arrival?.key);
  const viewer = context.get(viewerContext);
  if (!viewer || !query.has('provider')) throw redirect('/login');
  const offerId = (await offerCookie.read(request))?.offerId;
  const offer = offerId === undefined ? undefined : await findPendingConnection(db(), offerId);
  const { userId, email, isAdmin } = viewer.actor;
  const isConnected = query.has(CONNECTED) && (await isUserConnected(db(), userId, viewer.cameAt));
  const home = isAdmin ? '/app/admin' : '/app/dashboard';
  const isAsked = offer?.userId === userId;
  const to = isAsked ? '/auth/linkedin/publish' : (whereTo(arrival?.target ?? null) ?? home);
  return show({
    isIn: true,
    title: 'Welcome!',
    lead: `You are signed in as ${email}.${isConnected ? ' LinkedIn is connected.' : ''}`,
    to,
  });
}

/** The code for a session, once; the address that the browser keeps has neither. */
async function exchange(request: Request, token: string, key: string | undefined) {
  const userId = await redeemExchangeCode(db(), token, key);
  if (!userId) return showError('code_over');
  const query = new URL(request.url).searchParams;
  const provider = query.get('provider') === 'linkedin' ? 'linkedin' : 'google';
  const connected = query.has(CONNECTED) ? `&${CONNECTED}=true` : '';
  const to = `${PAGE}?provider=${provider}${connected}`;
  const answer = await signIn(request, userId, to).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (answer instanceof Refusal)
    return showError(answer.code === 'account_disabled' ? 'account_disabled' : 'account_erased');
  if (!requiresSecondStep(answer)) await welcome(request, (await findUser(db(), userId)).email);
  throw answer;
}

export default function OauthCallback({ loaderData: { isIn, title, lead, to } }: Route.ComponentProps) {
  useEffect(() => {
    const wait = isIn ? SCRIPTS_AFTER_MS : SECONDS * 1000;
    const timer = setTimeout(() => window.location.assign(to), wait);
    return () => clearTimeout(timer);
  }, [isIn, to]);
  const Icon = isIn ? CircleCheck : CircleAlert;
  return (
    <AuthLayout title={title} lead={lead}>
      <Icon
        aria-hidden
        size={48}
        strokeWidth={1.5}
        className={`mx-auto mb-6 ${isIn ? 'text-brand' : 'text-danger'}`}
      />
      {/* A full load ends the page's own refresh, which would otherwise still come. */}
      <ButtonLink to={to} reloadDocument className="w-full">
        {isIn ? 'Go on' : 'Sign in'}
      </ButtonLink>
    </AuthLayout>
  );
}
