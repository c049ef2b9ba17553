import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { GenerateInput } from '#app/domain/writing/schema.ts';
import { generateNow } from '#app/domain/writing/start-run.ts';
import { press } from '#app/http/forms.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/generate.ts';

export const loader = () => redirect('/app/dashboard');

export async function action({ request, context }: Route.ActionArgs) {
  const fields = Object.fromEntries(await request.formData());
  return press({ context }, '/app/dashboard', async () => {
    const input = GenerateInput.safeParse(fields);
    if (!input.success) throw new Refusal(422, 'invalid', input.error.issues[0]!.message);
    const run = await generateNow(db(), actorOf(context), input.data);
    // No fragment: a page that reloads itself without scripts would only scroll to it.
    return redirect(`/app/dashboard?run=${run.id}`);
  });
}
