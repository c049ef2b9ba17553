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
import { PRIVATE_HEADERS } from '#app/http/private-headers.ts';
import { resetAfterSignIn } from '#app/http/rate-limit.ts';
import { requiresSecondStep } from '#app/http/session/second-step-cookie.ts';
import { signIn } from '#app/http/session/session.ts';
import { arrivalCookie, offerCookie } from '#app/http/session/social-cookies.ts';
import { parseReturnTo } from '#app/routes/auth/return-to.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import type { Route } from './+types/exchange-page.ts';

const PAGE = '/auth/oauth-callback';
/** This parameter is a hint: the page says so only when the account is connected. */
const CONNECTED = 'linkedin_connected';
/** Scripts redirect before the refresh of the page does. */
const REFRESH_SECONDS = 2;
const SCRIPT_DELAY_MS = 1_500;

export const meta: Route.MetaFunction = ({ data }) => [
  { title: 'Signing in – Tidepost' },
  {
    name: 'description',
    content: 'You come back from LinkedIn or Google, and Tidepost opens where you left it.',
  },
  ...(data ? [{ httpEquiv: 'refresh', content: `${REFRESH_SECONDS};url=${data.to}` }] : []),
];

export const headers: Route.HeadersFunction = () => PRIVATE_HEADERS;

type PageData = { isSignedIn: boolean; title: string; lead: string; to: string };

const respond = (page: PageData, status = 200) => data(page, { status, headers: PRIVATE_HEADERS });

const isErrorCode = (error: string) => /^[a-z_]{1,40}$/.test(error);

function showError(error: string) {
  const lead = socialErrorText(error);
  const to = lead ? `/login?failed=${error}` : '/login';
  const title = isErrorCode(error) ? `Authentication failed: ${error}` : 'Failed to complete authentication';
  return respond(
    { isSignedIn: false, title, lead: lead ?? 'Taking you back to where you sign in…', to },
    400,
  );
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
  const isConnected = query.has(CONNECTED) && (await isUserConnected(db(), userId, viewer.requestedAt));
  const home = isAdmin ? '/app/admin' : '/app/dashboard';
  const hasOffer = offer?.userId === userId;
  const to = hasOffer ? '/auth/linkedin/publish' : (parseReturnTo(arrival?.target ?? null) ?? home);
  return respond({
    isSignedIn: true,
    title: 'Welcome!',
    lead: `You are signed in as ${email}.${isConnected ? ' LinkedIn is connected.' : ''}`,
    to,
  });
}

/** Redeems the one-time code for a session, and redirects to an address without the code. */
async function exchange(request: Request, token: string, key: string | undefined) {
  const userId = await redeemExchangeCode(db(), token, key);
  if (!userId) return showError('code_over');
  const query = new URL(request.url).searchParams;
  const provider = query.get('provider') === 'linkedin' ? 'linkedin' : 'google';
  const connected = query.has(CONNECTED) ? `&${CONNECTED}=true` : '';
  const to = `${PAGE}?provider=${provider}${connected}`;
  let response: Response;
  try {
    response = await signIn(request, userId, to);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return showError(error.code === 'account_disabled' ? 'account_disabled' : 'account_erased');
  }
  if (!requiresSecondStep(response)) await resetAfterSignIn(request, (await findUser(db(), userId)).email);
  throw response;
}

export default function OauthCallback({ loaderData }: Route.ComponentProps) {
  const { isSignedIn, title, lead, to } = loaderData;
  useEffect(() => {
    const delay = isSignedIn ? SCRIPT_DELAY_MS : REFRESH_SECONDS * 1000;
    const timer = setTimeout(() => window.location.assign(to), delay);
    return () => clearTimeout(timer);
  }, [isSignedIn, to]);
  const Icon = isSignedIn ? CircleCheck : CircleAlert;
  return (
    <AuthLayout title={title} lead={lead}>
      <Icon
        aria-hidden
        size={48}
        strokeWidth={1.5}
        className={`mx-auto mb-6 ${isSignedIn ? 'text-brand' : 'text-danger'}`}
      />
      {/* A client-side navigation would leave the page's refresh running. */}
      <ButtonLink to={to} reloadDocument className="w-full">
        {isSignedIn ? 'Go on' : 'Sign in'}
      </ButtonLink>
    </AuthLayout>
  );
}
