import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { saveTopic } from '#app/domain/queue/approval/topic-consent.ts';
import { pauseTopic } from '#app/domain/topics/pauses.ts';
import { TopicInput, TopicPause } from '#app/domain/topics/schema.ts';
import { createTopicOnce } from '#app/domain/topics/topics.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/page.ts';
import { backTo } from './paths.ts';
import { nameDayOf } from './present.ts';

type Args = Pick<Route.ActionArgs, 'request' | 'context'>;

const queryOf = ({ url }: Request) => new URL(url).searchParams;
const placeOf = (request: Request) => ({ cursor: queryOf(request).get('cursor') });

/** Stores what the dialog of a topic says. A new topic stands first on the first page. */
export function storeTopic({ request, context }: Args) {
  const topicId = queryOf(request).get('edit');
  return submit({ context }, TopicInput, async (input) => {
    const actor = actorOf(context);
    if (topicId) await saveTopic(db(), actor, { ...input, topicId });
    const { id } = topicId ? { id: topicId } : await createTopicOnce(db(), actor, input);
    notify(context, 'success', `Topic ${topicId ? 'updated' : 'created'} successfully`);
    return redirect(backTo(topicId ? placeOf(request) : { cursor: null }, id));
  });
}

export function storePause({ request, context }: Args, topicId: string) {
  return submit({ context }, TopicPause, async ({ until }) => {
    const actor = actorOf(context);
    const { id, name, pausedUntil } = await pauseTopic(db(), actor, { topicId, until });
    const { text } = nameDayOf(pausedUntil!, actor, new Date());
    notify(context, 'success', `“${name}” has no turns until ${text}, and then has them again by itself`);
    return redirect(backTo(placeOf(request), id));
  });
}
