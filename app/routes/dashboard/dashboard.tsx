import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { SettingsForm } from '#app/domain/automation/schema.ts';
import { saveSettings } from '#app/domain/queue/refit.ts';
import { submit } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import { loadSubscribeDialog } from '#app/routes/payments/subscribe-data.ts';
import { onDemand } from '#app/ui/on-demand.tsx';
import { KeepFresh } from '#app/ui/refresh.tsx';
import type { Route } from './+types/dashboard.ts';
import { Alerts } from './alerts.tsx';
import { GenerateCard } from './generate-card.tsx';
import { loadDashboard } from './load.ts';
import { HowItWorks, QuickActions, Stats, Today } from './overview.tsx';
import { QuickSetup } from './quick-setup.tsx';
import { RecentPosts } from './recent-posts.tsx';
import { SettingsCard } from './settings-card.tsx';
import { Welcome } from './welcome.tsx';

const SubscribeDialog = onDemand(
  async () => (await import('#app/routes/payments/subscribe-dialog.tsx')).SubscribeDialog,
);

export const meta: Route.MetaFunction = () => [{ title: 'Dashboard – Tidepost' }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = actorOf(context);
  if (actor.isAdmin) throw redirect('/app/admin');
  const query = new URL(request.url).searchParams;
  const [dashboard, subscribe] = await Promise.all([
    loadDashboard(db(), actor, query),
    loadSubscribeDialog(db(), actor, query),
  ]);
  if (subscribe) await SubscribeDialog.load();
  return { ...dashboard, subscribe };
}

export const action = ({ request, context }: Route.ActionArgs) =>
  submit({ request, context }, SettingsForm, async (input) => {
    await saveSettings(db(), actorOf(context), input);
    notify(context, 'success', 'Settings saved successfully!');
    return redirect('/app/dashboard');
  });

export default function Dashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { isReady, stats, topics, run, subscribe } = loaderData;
  const hasStarted = isReady || stats.totalPosts > 0;
  return (
    <>
      <Welcome dashboard={loaderData} />
      <Alerts dashboard={loaderData} />
      {hasStarted && <Stats dashboard={loaderData} />}
      <div className="mt-6 grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          {!isReady && <QuickSetup dashboard={loaderData} />}
          {topics.length > 0 && <GenerateCard dashboard={loaderData} />}
          {isReady && <SettingsCard settings={loaderData.settings} result={actionData} />}
          {hasStarted && <RecentPosts dashboard={loaderData} />}
        </div>
        <div className="grid min-w-0 gap-6 sm:max-xl:grid-cols-2 sm:max-xl:*:last:col-span-full">
          {isReady && <Today dashboard={loaderData} />}
          {hasStarted && <QuickActions />}
          <HowItWorks />
        </div>
      </div>
      {subscribe && <SubscribeDialog data={subscribe} />}
      {run?.isOpen && !subscribe && !actionData && <KeepFresh />}
    </>
  );
}
