import { InterviewOffer } from '#app/routes/voice/interview/offer.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { type Step, Steps } from '#app/ui/components/steps.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { Progress } from '#app/ui/messages/progress.tsx';
import type { DashboardData } from './load.ts';

function subscribeStep({ plan, hasPending }: DashboardData): Step {
  return {
    title: 'Subscribe to a plan',
    text: hasPending ? 'Your payment is being verified.' : 'Choose how many posts a day you want.',
    isDone: plan !== null,
    action: hasPending ? (
      <ButtonLink to="/app/payments" size="sm" variant="secondary">
        View Payment Status
      </ButtonLink>
    ) : (
      <ButtonLink to="?dialog=subscribe" preventScrollReset size="sm" variant="secondary">
        Subscribe
      </ButtonLink>
    ),
  };
}

const connectStep = ({ isConnected }: DashboardData): Step => ({
  title: 'Connect LinkedIn',
  text: 'So that we can publish for you.',
  isDone: isConnected,
  action: (
    <ButtonLink to="/app/linkedin" size="sm" variant="secondary">
      Connect LinkedIn
    </ButtonLink>
  ),
});

const topicsStep = ({ topics }: DashboardData): Step => ({
  title: 'Add topics',
  text: 'What your posts are about. One is enough to begin.',
  isDone: topics.length > 0,
  action: (
    <ButtonLink to="/app/topics?dialog=topic" size="sm">
      Add topics
    </ButtonLink>
  ),
});

function FreeFirst({ dashboard: { free, freePosts, topics, stats } }: { dashboard: DashboardData }) {
  if (free === null) return null;
  const canWrite = topics.length > 0 && freePosts > 0;
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-md bg-sunken p-4">
      <p className="min-w-0 flex-1 basis-60 text-ink-2">
        {topics.length === 0 && 'Begin with a topic, and have a post written about it. '}
        {free}
        {freePosts > 0 && ' They need no plan and no card.'}
      </p>
      {canWrite && (
        <ButtonLink
          to="#generate"
          reloadDocument
          size="sm"
          variant={stats.totalPosts > 0 ? 'secondary' : 'primary'}
        >
          {stats.totalPosts > 0 ? 'Write another one' : 'Write a free post'}
        </ButtonLink>
      )}
    </div>
  );
}

/** The three steps that automation needs, free ones first. */
export function QuickSetup({ dashboard }: { dashboard: DashboardData }) {
  const steps = [topicsStep(dashboard), connectStep(dashboard), subscribeStep(dashboard)];
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card title="Quick Setup" description="Three steps to posts that publish themselves.">
      <Progress value={done} max={3} label={`${done} of 3 steps done`} />
      <FreeFirst dashboard={dashboard} />
      <div className="mt-6">
        <Steps steps={steps.map((step) => (step.isDone ? { ...step, action: undefined } : step))} />
      </div>
      {dashboard.isInterviewOffered && <InterviewOffer from="/app/dashboard" className="mt-6" />}
    </Card>
  );
}
