import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { explainSent } from '#app/domain/publishing/safety/pause.ts';
import { type MissedChoice, MissedInput } from '#app/domain/publishing/schema.ts';
import { chooseMissed } from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listWithWatched } from '#app/http/forms/list-params.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/choose-missed.ts';

const PAGE = '/app/linkedin';
const QUEUE = '/app/scheduled';

const MESSAGES: Record<Exclude<MissedChoice, 'latest'>, (count: number) => string> = {
  slots: (count) =>
    count === 1 ? '1 post took your next free time' : `${count} posts took your next free times`,
  discard: (count) => (count === 1 ? '1 post set aside' : `${count} posts set aside`),
};

async function describeChoice(actor: Actor, choice: MissedChoice, ids: string[]): Promise<string> {
  if (choice !== 'latest') return MESSAGES[choice](ids.length);
  const latest = await findPost(db(), actor, ids.at(-1)!);
  return explainSent(db(), latest, actor.timeZone, new Date());
}

const RESULT_PAGES: Record<MissedChoice, (latest: string) => string> = {
  slots: () => QUEUE,
  latest: (latest) => listWithWatched(QUEUE, latest),
  discard: () => '/app/posts?status=set_aside',
};

export const loader = () => redirect(PAGE);

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    const { data: input, error } = MissedInput.safeParse(Object.fromEntries(formDataOf(context)));
    if (!input) throw new Refusal(422, 'invalid', error.issues[0]!.message);
    const actor = actorOf(context);
    const ids = await chooseMissed(db(), actor, input);
    setFlash(context, 'success', await describeChoice(actor, input.choice, ids));
    return redirect(RESULT_PAGES[input.choice](ids.at(-1)!));
  });
