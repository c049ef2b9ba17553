import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { findPause, sentWhile } from '#app/domain/publishing/pause.ts';
import { chooseMissed } from '#app/domain/queue/missed.ts';
import { type MissedChoice, MissedInput } from '#app/domain/queue/schema.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { watching } from '../kept.ts';
import type { Route } from './+types/choose-missed.ts';

const PAGE = '/app/linkedin';
const QUEUE = '/app/scheduled';

const SAID: Record<MissedChoice, (count: number) => string> = {
  slots: (count) =>
    count === 1 ? '1 post took your next free time' : `${count} posts took your next free times`,
  latest: (count) => (count === 1 ? 'Your post is being published' : 'The latest post is being published'),
  discard: (count) => (count === 1 ? '1 post set aside' : `${count} posts set aside`),
};

async function say(choice: MissedChoice, count: number): Promise<string> {
  const pause = choice === 'latest' ? await findPause(db(), new Date()) : undefined;
  return pause ? sentWhile(pause) : SAID[choice](count);
}

/** Where to see what the choice came to. */
const SHOWN: Record<MissedChoice, (latest: string) => string> = {
  slots: () => QUEUE,
  latest: (latest) => watching(QUEUE, latest),
  discard: () => '/app/posts?status=set_aside',
};

export const loader = () => redirect(PAGE);

export const action = ({ request, context }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    const { data: input, error } = MissedInput.safeParse(Object.fromEntries(await request.formData()));
    if (!input) throw new Refusal(422, 'invalid', error.issues[0]!.message);
    const ids = await chooseMissed(db(), actorOf(context), input);
    notify(context, 'success', await say(input.choice, ids.length));
    return redirect(SHOWN[input.choice](ids.at(-1)!));
  });
