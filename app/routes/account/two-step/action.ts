import { redirect } from 'react-router';
import { verbOf } from '#app/http/route-verb.ts';
import type { SecondStepVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';
import { startApp } from './begin-app.ts';
import { mailProof } from './mail-proof.ts';
import { renameKey } from './rename-passkey.ts';

type Act = (args: Route.ActionArgs) => Promise<Response>;

const ACTS: Record<SecondStepVerb, Act> = {
  begin: startApp,
  prove: mailProof,
  rename: renameKey,
};

export function loader({ params }: Route.LoaderArgs) {
  verbOf(ACTS, params.verb);
  return redirect('/app/account/security');
}

export const action = (args: Route.ActionArgs) => verbOf(ACTS, args.params.verb)(args);

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
