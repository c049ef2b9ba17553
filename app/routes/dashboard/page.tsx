import type { ReactNode } from 'react';
import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { changeIn, SettingsForm } from '#app/domain/automation/schema.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorAndTime, actorOf, shellOf } from '#app/http/session/session.ts';
import { Days } from '#app/routes/dashboard/schedule/days.tsx';
import { NextPost } from '#app/routes/dashboard/schedule/next-post.tsx';
import { ChangeSettings } from '#app/routes/dashboard/settings/form.lazy.ts';
import { loadSubscribeDialog } from '#app/routes/payments/subscribe/load.ts';
import { submitPayment } from '#app/routes/payments/subscribe/submit.ts';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { Banner, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Route } from './+types/page.ts';
import { type DashboardData, loadDashboard } from './load.ts';

const SubscribeDialog = onDemand(
  async () => (await import('#app/routes/payments/subscribe/dialog.tsx')).SubscribeDialog,
);

/** Not shown once automation is set up. */
const QuickSetup = onDemand(async () => (await import('./quick-setup.tsx')).QuickSetup);
const Below = onDemand(async () => (await import('./body.tsx')).Below, { waitsForInput: true });
const TrustOffer = onDemand(async () => (await import('#app/routes/topics/trust-offer.tsx')).TrustOffer);
const PostDialogs = onDemand(async () => (await import('#app/routes/posts/dialogs.tsx')).PostDialogs);

/** Sent by the server, to keep it out of the page's script. */
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

/** Saves the settings, or the payment if the URL opens the subscribe dialog. */
export const action = ({ request, context }: Route.ActionArgs) =>
  new URL(request.url).searchParams.get('dialog') === 'subscribe'
    ? submitPayment({ context })
    : submit({ context }, SettingsForm, async (input) => {
        await saveSettings(db(), actorOf(context), changeIn(input));
        setFlash(context, 'success', 'Settings saved successfully!');
        return redirect('/app/dashboard?settings#automation');
      });

export default function Dashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { isReady, run, subscribe, trusted, publishing, days, next } = loaderData;
  const states = [next?.badge, ...days.flatMap(({ rows }) => rows.map(({ state }) => state))];
  const isMoving = run?.isOpen || states.includes('publishing') || states.includes('filling');
  return (
    <>
      <Welcome dashboard={loaderData} />
      <Alerts dashboard={loaderData} />
      {trusted && <TrustOffer topic={trusted} from="/app/dashboard" />}
      <div className="grid gap-8">
        {!isReady && <QuickSetup dashboard={loaderData} />}
        <NextPost dashboard={loaderData} />
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

function Alerts({ dashboard: { alert } }: { dashboard: DashboardData }) {
  if (!alert) return null;
  const openTopics = alert.to && (
    <ButtonLink to={alert.to} size="sm" variant="secondary">
      Open Topics
    </ButtonLink>
  );
  return (
    <Banner tone="warning" title={alert.title} className="mb-6" action={openTopics}>
      {alert.text}
    </Banner>
  );
}

const postsADay = (count: number) => (count === 1 ? '1 post a day' : `${count} posts a day`);

function Welcome({ dashboard }: { dashboard: DashboardData }) {
  const { name, plan } = dashboard;
  return (
    <PageHeader
      title={`Welcome, ${name}`}
      description={<StatusLine dashboard={dashboard} />}
      badge={
        plan && (
          <Badge tone="brand">
            {postsADay(plan.postsPerDay)} · {plan.price} per month
          </Badge>
        )
      }
      actions={
        plan && (
          <ButtonLink to="?dialog=subscribe" preventScrollReset variant="secondary">
            Upgrade Plan
          </ButtonLink>
        )
      }
    />
  );
}

type Status = { tone: 'on' | 'off' | 'wait'; text: ReactNode; action?: ReactNode };

/** Whether posts are published automatically. The layout says what holds them. */
function statusOf({ plan, isReady, isHeld, isConnected, settings }: DashboardData): Status {
  if (!isReady) return { tone: 'off', text: 'A few steps, and your posts write and publish themselves.' };
  if (!settings.enabled) {
    const text = 'Paused: nothing is written or published by itself.';
    return { tone: 'off', text, action: <Switch to="true">Resume</Switch> };
  }
  const { contentCreationTime, publishTimes } = settings;
  const until = plan?.endsOn ? ` · plan until ${plan.endsOn}` : '';
  const state = isConnected ? (isHeld ? 'Held' : 'On') : 'Held until LinkedIn is connected';
  return {
    tone: isHeld ? 'wait' : 'on',
    text: `${state}: ${postsADay(publishTimes.length)}, written at ${contentCreationTime}${until}`,
    action: <Switch to="false">Pause</Switch>,
  };
}

function StatusLine({ dashboard }: { dashboard: DashboardData }) {
  const { tone, text, action } = statusOf(dashboard);
  return (
    <span className="status-line">
      <span>
        <span aria-hidden className={`status-dot is-${tone}`} />
        {text}
      </span>
      {action}
    </span>
  );
}

const Switch = ({ to, children }: { to: 'true' | 'false'; children: string }) => (
  <ActionForm
    action="/app/automation/toggle"
    failure="Failed to toggle automation"
    fields={{ enabled: to }}
    preventScrollReset
  >
    <SubmitButton size="sm" variant="ghost" busyLabel="One moment…">
      {children}
    </SubmitButton>
  </ActionForm>
);
