import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import type { Route } from './+types/home.ts';

export function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) return redirect('/login');
  return redirect(viewer.actor.isAdmin ? '/app/admin' : '/app/dashboard');
}
