import { redirect } from 'react-router';
import type { z } from 'zod';
import { db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { fillSlot } from '#app/domain/writing/runs/fill-slot.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { FillInput, GenerateForm } from '#app/domain/writing/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listUrlFrom } from '#app/http/forms/list-params.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/generate.ts';

const DASHBOARD = '/app/dashboard';

export const loader = () => redirect(DASHBOARD);

function read<S extends z.ZodType>(schema: S, form: FormData): z.output<S> {
  const input = schema.safeParse(Object.fromEntries(form));
  if (!input.success) throw new Refusal(422, 'invalid', input.error.issues[0]!.message);
  return input.data;
}

/** Starts a run now: a number of posts for the next free slots, or one for the open slot in the form ("Fill it"). */
export async function action({ context }: Route.ActionArgs) {
  const form = formDataOf(context);
  const actor = actorOf(context);
  const back = listUrlFrom(form.get('from')) ?? DASHBOARD;
  const card = /#(topic-.+)$/.exec(back)?.[1];
  const write = async () => {
    await limitAccount('write', actor.userId);
    const run = form.has('slot')
      ? await fillSlot(db(), actor, read(FillInput, form))
      : await generateNow(db(), actor, read(GenerateForm, form));
    if (back === DASHBOARD) {
      setFlash(context, 'success', 'Writing has begun. What is written appears in your queue.');
      // No fragment: with one, a page that reloads itself without scripts would only scroll.
      return redirect(`${DASHBOARD}?run=${run.id}`);
    }
    // The card of a topic shows the run itself.
    if (!card)
      setFlash(context, 'success', 'The post is being written. It appears in its place in a minute or two.');
    return redirect(back);
  };
  return press({ context }, back, write, card);
}
