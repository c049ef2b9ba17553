import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { changeIn, SettingsForm } from '#app/domain/automation/schema.ts';
import { saveSettings } from '#app/domain/queue/slots/reschedule.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorAndTime, actorOf, shellOf } from '#app/http/session/session.ts';
import { Days } from '#app/routes/dashboard/schedule/days.tsx';
import { NextOut } from '#app/routes/dashboard/schedule/next-post.tsx';
import { ChangeSettings } from '#app/routes/dashboard/settings/form.lazy.ts';
import { loadSubscribeDialog } from '#app/routes/payments/subscribe/load.ts';
import { submitPayment } from '#app/routes/payments/subscribe/submit.ts';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Route } from './+types/page.ts';
import { Alerts } from './alerts.tsx';
import { loadDashboard } from './load.ts';
import { Welcome } from './welcome.tsx';

const SubscribeDialog = onDemand(
  async () => (await import('#app/routes/payments/subscribe/dialog.tsx')).SubscribeDialog,
);

/** Nobody sees it again once automation is ready. */
const QuickSetup = onDemand(async () => (await import('./quick-setup.tsx')).QuickSetup);
const Below = onDemand(async () => (await import('./below.tsx')).Below, { isBelow: true });
const TrustOffer = onDemand(async () => (await import('#app/routes/topics/trust-offer.tsx')).TrustOffer);
const PostDialogs = onDemand(async () => (await import('#app/routes/posts/dialogs.tsx')).PostDialogs);

/** Said by the server, so that the scripts of the page are without it. */
const HEAD = [
  { title: 'Dashboard – Tidepost' },
  { name: 'description', content: 'What goes out next, what went out, and the times at which it does.' },
];

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.head;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { actor, now } = actorAndTime(context);
  if (actor.isAdmin) throw redirect('/app/admin');
  const query = new URL(request.url).searchParams;
  const [dashboard, subscribe] = await Promise.all([
    loadDashboard(db(), actor, query, shellOf(context), now),
    loadSubscribeDialog(db(), actor, query),
  ]);
  if (subscribe) await SubscribeDialog.load();
  if (dashboard.trusted) await TrustOffer.load();
  if (dashboard.publishing) await PostDialogs.load();
  if (!dashboard.isReady) await QuickSetup.load();
  if (dashboard.form) await ChangeSettings.load();
  await Below.load();
  return { ...dashboard, subscribe, head: HEAD };
}

/** Its forms are the settings, and the payment of the dialog that the address names. */
export const action = ({ request, context }: Route.ActionArgs) =>
  new URL(request.url).searchParams.get('dialog') === 'subscribe'
    ? submitPayment({ context })
    : submit({ context }, SettingsForm, async (input) => {
        await saveSettings(db(), actorOf(context), changeIn(input));
        notify(context, 'success', 'Settings saved successfully!');
        return redirect('/app/dashboard?settings#automation');
      });

export default function Dashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { isReady, run, subscribe, trusted, publishing, days, next } = loaderData;
  const states = [next?.badge, ...days.flatMap(statesOf)];
  const isMoving = run?.isOpen || states.includes('publishing') || states.includes('filling');
  return (
    <>
      <Welcome dashboard={loaderData} />
      <Alerts dashboard={loaderData} />
      {trusted && <TrustOffer topic={trusted} from="/app/dashboard" />}
      <div className="grid gap-8">
        {!isReady && <QuickSetup dashboard={loaderData} />}
        <NextOut dashboard={loaderData} />
        <InlineErrors isHere={(at) => at.startsWith('post-') && at !== `post-${next?.id}`} />
        <Days dashboard={loaderData} />
        <Below dashboard={loaderData} result={subscribe ? undefined : actionData} />
      </div>
      {subscribe && <SubscribeDialog data={subscribe} result={actionData} />}
      {publishing && <PostDialogs {...publishing} publishing={publishing.post} closeTo="/app/dashboard" />}
      {isMoving && !subscribe && !publishing && !actionData && <AutoRefresh />}
    </>
  );
}

const statesOf = ({ rows }: Route.ComponentProps['loaderData']['days'][number]) =>
  rows.map(({ state }) => state);
