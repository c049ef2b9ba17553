import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { deleteFact } from '#app/domain/voice/fact-list.ts';
import { choosePost, removeExample } from '#app/domain/voice/voice.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { VoiceVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';
import { FACTS, VOICE } from './tabs.tsx';

type Act = { page: string; act: (actor: Actor, id: string) => Promise<void>; said: string };

/** What a button does to a post, an example or a fact, and what is said of it on which page. */
const VERBS: Record<VoiceVerb, Act> = {
  choose: {
    page: VOICE,
    act: (actor, postId) => choosePost(db(), actor, postId),
    said: 'The writer listens to this post from now on',
  },
  remove: { page: VOICE, act: (actor, id) => removeExample(db(), actor, id), said: 'Example removed' },
  forget: { page: FACTS, act: (actor, id) => deleteFact(db(), actor, id), said: 'Fact deleted' },
};

export function loader({ params }: Route.LoaderArgs) {
  return redirect(verbOf(VERBS, params.verb).page);
}

/** The list that a fact was deleted from, as far as it is one of ours. */
const listedIn = (from: FormDataEntryValue | null, page: string) =>
  typeof from === 'string' && /^\?[\w=&-]{0,300}$/.test(from) ? page + from : page;

export async function action({ context, params }: Route.ActionArgs) {
  const { page, act, said } = verbOf(VERBS, params.verb);
  const back = listedIn(formDataOf(context).get('list'), page);
  return press({ context }, back, async () => {
    await act(actorOf(context), params.id);
    setFlash(context, 'success', said);
    return redirect(back);
  });
}

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
