import { Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { POSTS_PER_RUN_MAX } from '#app/domain/writing/limits.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { Progress } from '#app/ui/messages/progress.tsx';
import type { DashboardData } from './load.ts';

const COUNTS = Array.from({ length: POSTS_PER_RUN_MAX }, (_, index) => index + 1);

function describeGeneration({ plan, freePosts }: DashboardData): string {
  if (plan) return 'Writes posts at once. They take your next free times.';
  if (freePosts > 0) return 'Writes free posts at once. You read them, then publish them by hand.';
  return 'With a plan, more can be written at once.';
}

export function GenerateCard({ dashboard }: { dashboard: DashboardData }) {
  const { plan, freePosts, hasPending, run } = dashboard;
  const max = plan ? COUNTS.length : freePosts;
  return (
    <Card id="generate" title="Generate now" description={describeGeneration(dashboard)}>
      {max > 0 && <GenerateForm dashboard={dashboard} max={max} />}
      {max === 0 && !hasPending && (
        <ButtonLink to="?dialog=subscribe" preventScrollReset>
          Choose a plan
        </ButtonLink>
      )}
      {run && (run.isOpen || run.isRequested) && (
        <div className="mt-5 grid min-h-24">{run.isOpen ? <Writing run={run} /> : <Written run={run} />}</div>
      )}
    </Card>
  );
}

function GenerateForm({ dashboard: { key, run, topics }, max }: { dashboard: DashboardData; max: number }) {
  const canTakeTurns = topics.some(({ hasTurns }) => hasTurns);
  return (
    <ActionForm
      action="/app/generate"
      fields={{ key }}
      failure="Failed to generate posts"
      isOnce
      preventScrollReset
      className="grid items-end gap-4 sm:grid-cols-[8rem_minmax(0,1fr)_auto]"
    >
      <Select name="count" label="Posts">
        {COUNTS.slice(0, max).map((count) => (
          <option key={count}>{count}</option>
        ))}
      </Select>
      <Select name="topicId" label="Topic">
        {canTakeTurns && <option value="">Topics take turns</option>}
        {topics.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <SubmitButton busyLabel="Starting…" variant={run?.isOpen ? 'secondary' : 'primary'}>
        <Sparkles aria-hidden size={18} />
        Generate now
      </SubmitButton>
    </ActionForm>
  );
}

function Select({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  const id = `generate-${name}`;
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      <select id={id} name={name} className="input select">
        {children}
      </select>
    </div>
  );
}

type Run = NonNullable<DashboardData['run']>;

const Writing = ({ run: { id, processed, requested, progressText, isSlow } }: { run: Run }) => (
  <div className="rounded-md bg-sunken p-4">
    <div aria-live="polite">
      <Progress value={processed} max={requested} label={progressText} />
    </div>
    <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p className="text-sm text-ink-3">
        {isSlow
          ? 'The writer takes longer than usual. We keep trying. You can leave this page.'
          : 'You can leave this page. The posts appear in your queue.'}
      </p>
      <ActionForm action={`/app/runs/${id}/stop`} failure="Failed to stop writing" preventScrollReset>
        <SubmitButton size="sm" variant="ghost" busyLabel="Stopping…">
          Stop writing
        </SubmitButton>
      </ActionForm>
    </div>
  </div>
);

function Written({ run }: { run: Run }) {
  const { done, requested, message, fixUrl } = run;
  const isWhole = done >= requested;
  const posts = requested === 1 ? '1 post' : `${requested} posts`;
  const title =
    done === 0 ? 'No post was written' : isWhole ? `${posts} written` : `${done} of ${posts} written`;
  return (
    <Banner
      tone={isWhole ? 'success' : 'warning'}
      title={title}
      className="content-center items-center"
      action={(done > 0 || fixUrl) && <NextSteps run={run} />}
    >
      {message || (isWhole ? null : 'The rest could not be written.')}
    </Banner>
  );
}

const NextSteps = ({ run: { done, fixUrl } }: { run: Run }) => (
  <span className="flex flex-wrap gap-2">
    {done > 0 && (
      <ButtonLink to="/app/scheduled" size="sm" variant="secondary">
        Read {done === 1 ? 'it' : 'them'}
      </ButtonLink>
    )}
    {fixUrl && (
      <ButtonLink to={fixUrl} size="sm" variant={done > 0 ? 'ghost' : 'secondary'}>
        Open Topics
      </ButtonLink>
    )}
  </span>
);
