import { ArrowUpRight } from 'lucide-react';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { PageHeader } from '#app/ui/page.tsx';
import type { Dashboard } from './load.ts';

const postsADay = (count: number) => (count === 1 ? '1 post a day' : `${count} posts a day`);

export function Welcome({ dashboard: { name, plan, isReady, settings } }: { dashboard: Dashboard }) {
  return (
    <PageHeader
      title={`Welcome, ${name}`}
      description={describe(isReady, settings.enabled)}
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
            <ArrowUpRight aria-hidden size={18} />
            Upgrade Plan
          </ButtonLink>
        )
      }
    />
  );
}

function describe(isReady: boolean, isEnabled: boolean): string {
  if (!isReady) return 'A few steps, and your posts write and publish themselves.';
  return isEnabled
    ? 'Your posts write and publish themselves.'
    : 'Automation is paused. Nothing goes out by itself.';
}
