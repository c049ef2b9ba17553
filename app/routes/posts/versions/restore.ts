import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { restoreVersion } from '#app/domain/writing/rewrite/rewrite.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import type { Route } from './+types/restore.ts';

export const loader = ({ params }: Route.LoaderArgs) => redirect(versionsAddress(params.id));

export async function action({ context, params }: Route.ActionArgs) {
  const { id, version } = params;
  return press({ context }, versionsAddress(id), async () => {
    await restoreVersion(db(), actorOf(context), { postId: id, versionId: version });
    setFlash(context, 'success', 'The post has this text again. The one before it is kept below.');
    return redirect(versionsAddress(id));
  });
}

/** Never shown. A route without a component answers an error with bare data. */
export default () => null;
