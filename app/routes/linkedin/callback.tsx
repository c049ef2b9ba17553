import { data, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { finishConnecting } from '#app/domain/linkedin/connect.ts';
import { connectErrorText, LinkedInReturn } from '#app/domain/linkedin/schema.ts';
import { refusedWith } from '#app/http/refused.ts';
import { AuthLayout } from '#app/ui/auth-layout.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import type { Route } from './+types/callback.ts';

export const meta: Route.MetaFunction = () => [{ title: 'LinkedIn – Tidepost' }];

/** Where LinkedIn sends the browser back to. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const back = LinkedInReturn.parse(Object.fromEntries(new URL(request.url).searchParams));
  const error = await refusedWith(finishConnecting(db(), back, viewer));
  if (viewer) throw redirect(`/app/linkedin?${error ? `error=${error}` : 'linkedin=connected'}`);
  return data({ error: error && connectErrorText(error) }, { status: error ? 400 : 200 });
}

/** For a browser that is not signed in: connecting was begun by a program. */
export default function LinkedInCallback({ loaderData: { error } }: Route.ComponentProps) {
  return error ? (
    <AuthLayout title="LinkedIn is not connected" lead={error}>
      <ButtonLink to="/login">Sign in to connect it</ButtonLink>
    </AuthLayout>
  ) : (
    <AuthLayout title="Done" lead="LinkedIn is connected. You can close this window.">
      <ButtonLink to="/login" variant="secondary">
        Go to Tidepost
      </ButtonLink>
    </AuthLayout>
  );
}
