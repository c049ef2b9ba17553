import type { ReactNode } from 'react';
import { Badge } from '#app/ui/components/badge.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { PageHeader } from '#app/ui/layout/page.tsx';
import type { Dashboard } from './load.ts';

const postsADay = (count: number) => (count === 1 ? '1 post a day' : `${count} posts a day`);

export function Welcome({ dashboard }: { dashboard: Dashboard }) {
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

type Status = { tone: 'on' | 'off' | 'wait'; text: ReactNode; act?: ReactNode };

/** Whether posts go out by themselves, in one line; the frame of the page says what keeps them from it. */
function statusOf({ plan, isReady, isHeld, isConnected, settings }: Dashboard): Status {
  if (!isReady) return { tone: 'off', text: 'A few steps, and your posts write and publish themselves.' };
  if (!settings.enabled) {
    const text = 'Paused: nothing is written or published by itself.';
    return { tone: 'off', text, act: <Switch to="true">Resume</Switch> };
  }
  const { contentCreationTime, publishTimes } = settings;
  const until = plan?.endsOn ? ` · plan until ${plan.endsOn}` : '';
  const how = isConnected ? (isHeld ? 'Held' : 'On') : 'Held until LinkedIn is connected';
  return {
    tone: isHeld ? 'wait' : 'on',
    text: `${how}: ${postsADay(publishTimes.length)}, written at ${contentCreationTime}${until}`,
    act: <Switch to="false">Pause</Switch>,
  };
}

function StatusLine({ dashboard }: { dashboard: Dashboard }) {
  const { tone, text, act } = statusOf(dashboard);
  return (
    <span className="status-line">
      <span>
        <span aria-hidden className={`status-dot is-${tone}`} />
        {text}
      </span>
      {act}
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
