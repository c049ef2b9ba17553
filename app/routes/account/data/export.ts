import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { isRecentlyAuthenticated } from '#app/domain/accounts/sign-in/sessions.ts';
import { exportAccount } from '#app/domain/data-export/export.ts';
import { ACCOUNT_EXPORT, download } from '#app/http/download.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import type { Route } from './+types/export.ts';

const PAGE = '/app/account/data';

/** An unlocked screen is not enough to download an account: it takes a recent confirmation. */
export const loader = (args: Route.LoaderArgs) => {
  const viewer = args.context.get(viewerContext)!;
  if (!isRecentlyAuthenticated(viewer, viewer.requestedAt)) {
    const message = 'Prove first that it is you: press “Download everything” once more';
    setFlash(args.context, 'error', message, 'export');
    return redirect(`${PAGE}#export`);
  }
  return download(args, PAGE, { ...ACCOUNT_EXPORT, lines: exportAccount(db(), viewer.actor) });
};
