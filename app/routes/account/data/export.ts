import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { isRecentlyAuthenticated } from '#app/domain/accounts/sign-in/sessions.ts';
import { exportAccount } from '#app/domain/data-export/export.ts';
import { download, EXPORT_OF_ALL } from '#app/http/download.ts';
import { notify } from '#app/http/forms/flash.ts';
import type { Route } from './+types/export.ts';

const PAGE = '/app/account/data';

/** Everything of somebody goes to nobody who only found their screen open. */
export const loader = (args: Route.LoaderArgs) => {
  const viewer = args.context.get(viewerContext)!;
  if (!isRecentlyAuthenticated(viewer, viewer.cameAt)) {
    notify(
      args.context,
      'error',
      'Prove first that it is you: press “Download everything” once more',
      'export',
    );
    return redirect(`${PAGE}#export`);
  }
  return download(args, PAGE, { ...EXPORT_OF_ALL, lines: exportAccount(db(), viewer.actor) });
};
