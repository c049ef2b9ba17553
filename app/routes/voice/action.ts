import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { deleteFact } from '#app/domain/voice/fact-list.ts';
import { addPostAsExample, removeExample } from '#app/domain/voice/voice.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { VoiceVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';
import { FACTS, VOICE } from './tabs.tsx';

type VoiceAction = { page: string; perform: (actor: Actor, id: string) => Promise<void>; message: string };

const ACTIONS: Record<VoiceVerb, VoiceAction> = {
  choose: {
    page: VOICE,
    perform: (actor, postId) => addPostAsExample(db(), actor, postId),
    message: 'The writer listens to this post from now on',
  },
  remove: { page: VOICE, perform: (actor, id) => removeExample(db(), actor, id), message: 'Example removed' },
  forget: { page: FACTS, perform: (actor, id) => deleteFact(db(), actor, id), message: 'Fact deleted' },
};

export function loader({ params }: Route.LoaderArgs) {
  return redirect(verbOf(ACTIONS, params.verb).page);
}

/** The list that a fact was deleted from, if it is a valid one. */
const listUrl = (from: FormDataEntryValue | null, page: string) =>
  typeof from === 'string' && /^\?[\w=&-]{0,300}$/.test(from) ? page + from : page;

export async function action({ context, params }: Route.ActionArgs) {
  const { page, perform, message } = verbOf(ACTIONS, params.verb);
  const back = listUrl(formDataOf(context).get('list'), page);
  return press({ context }, back, async () => {
    await perform(actorOf(context), params.id);
    setFlash(context, 'success', message);
    return redirect(back);
  });
}

/** Never shown. A route without a component answers an unknown URL with bare data instead of the error page. */
export default () => null;
