import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { isProved } from '#app/domain/accounts/sign-in/sessions.ts';
import { exportAccount } from '#app/domain/data-export/export.ts';
import { download, EXPORT_OF_ALL } from '#app/http/download.ts';
import { notify } from '#app/http/forms/flash.ts';
import type { Route } from './+types/export.ts';

const PAGE = '/app/account/data';

/** An unlocked screen is not enough to download an account: it takes a recent confirmation. */
export const loader = (args: Route.LoaderArgs) => {
  const viewer = args.context.get(viewerContext)!;
  if (!isProved(viewer, viewer.cameAt)) {
    const message = 'Prove first that it is you: press “Download everything” once more';
    notify(args.context, 'error', message, 'export');
    return redirect(`${PAGE}#export`);
  }
  return download(args, PAGE, { ...EXPORT_OF_ALL, lines: exportAccount(db(), viewer.actor) });
};
