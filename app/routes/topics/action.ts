import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { answerTrust, removeTopic } from '#app/domain/publishing/approval/save-topic.ts';
import { resumeTopic } from '#app/domain/topics/pauses.ts';
import { toggleTopic } from '#app/domain/topics/topics.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listUrlFrom } from '#app/http/forms/list-params.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { TopicVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';

const PAGE = '/app/topics';

/** The actions of a topic. Each returns the message to show. */
const ACTIONS: Record<TopicVerb, (actor: Actor, topicId: string) => Promise<string>> = {
  toggle: async (actor, topicId) => {
    const { isActive } = await toggleTopic(db(), actor, topicId);
    return `Topic ${isActive ? 'activated' : 'deactivated'} successfully`;
  },
  resume: async (actor, topicId) => {
    const { name } = await resumeTopic(db(), actor, topicId);
    return `“${name}” has its turns again`;
  },
  delete: async (actor, topicId) => {
    await removeTopic(db(), actor, topicId);
    return 'Topic deleted successfully';
  },
  trust: async (actor, topicId) => {
    const { name } = await answerTrust(db(), actor, topicId, true);
    return `Posts about “${name}” are published without asking from now on. What waits for you goes on waiting.`;
  },
  ask: async (actor, topicId) => {
    const { name } = await answerTrust(db(), actor, topicId, false);
    return `You are asked before each post about “${name}”, as before.`;
  },
};

export function loader({ params }: Route.LoaderArgs) {
  verbOf(ACTIONS, params.verb);
  return redirect(PAGE);
}

export async function action({ context, params }: Route.ActionArgs) {
  const perform = verbOf(ACTIONS, params.verb);
  const back = listUrlFrom(formDataOf(context).get('from')) ?? PAGE;
  return press({ context }, back, async () => {
    setFlash(context, 'success', await perform(actorOf(context), params.id));
    return redirect(back);
  });
}

/** Never shown. A route without a component answers an unknown URL with bare data instead of the error page. */
export default () => null;
