import { redirect } from 'react-router';
import { setFlash } from '#app/http/forms/flash.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import type { Route } from './+types/allow-export.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

const CARD = '/app/account/data#export';

export const loader = () => redirect(CARD);

/** The middleware has just confirmed the identity, so the card shows the download link now. */
export const action = ({ context }: Route.ActionArgs) => {
  setFlash(context, 'success', 'Your file can be downloaded now');
  return redirect(CARD);
};
