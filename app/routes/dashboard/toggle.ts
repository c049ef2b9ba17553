import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/toggle.ts';

export const loader = () => redirect('/app/dashboard');

export async function action({ context }: Route.ActionArgs) {
  const enabled = formDataOf(context).get('enabled') === 'true';
  return press({ context }, '/app/dashboard', async () => {
    await saveSettings(db(), actorOf(context), { enabled });
    setFlash(context, 'success', enabled ? 'Automation enabled!' : 'Automation paused');
    return redirect('/app/dashboard');
  });
}
