import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { chooseMissed } from '#app/domain/queue/missed.ts';
import { type MissedChoice, MissedInput } from '#app/domain/queue/schema.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/choose-missed.ts';

const PAGE = '/app/linkedin';

const SAID: Record<MissedChoice, (posts: string) => string> = {
  slots: (posts) => `${posts} took your next free times`,
  latest: () => 'The latest post is being published',
  discard: (posts) => `${posts} set aside. Find them under Post History`,
};

export const loader = () => redirect(PAGE);

export const action = ({ request, context }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    const { data: input, error } = MissedInput.safeParse(Object.fromEntries(await request.formData()));
    if (!input) throw new Refusal(422, 'invalid', error.issues[0]!.message);
    const count = await chooseMissed(db(), actorOf(context), input);
    notify(context, 'success', SAID[input.choice](count === 1 ? '1 post' : `${count} posts`));
    return redirect(input.choice === 'slots' ? '/app/scheduled' : PAGE);
  });
