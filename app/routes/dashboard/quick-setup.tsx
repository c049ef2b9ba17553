import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Progress } from '#app/ui/progress.tsx';
import { type Step, Steps } from '#app/ui/steps.tsx';
import type { Dashboard } from './load.ts';

function subscribeStep({ plan, hasPending }: Dashboard): Step {
  return {
    title: 'Subscribe to a plan',
    text: hasPending ? 'Your payment is being verified.' : 'Choose how many posts a day you want.',
    isDone: plan !== null,
    action: hasPending ? (
      <ButtonLink to="/app/payments" size="sm" variant="secondary">
        View Payment Status
      </ButtonLink>
    ) : (
      <ButtonLink to="?dialog=subscribe" preventScrollReset size="sm">
        Subscribe
      </ButtonLink>
    ),
  };
}

const connectStep = ({ isConnected }: Dashboard): Step => ({
  title: 'Connect LinkedIn',
  text: 'So that we can publish for you.',
  isDone: isConnected,
  action: (
    <ButtonLink to="/app/linkedin" size="sm" variant="secondary">
      Connect LinkedIn
    </ButtonLink>
  ),
});

const topicsStep = ({ topics }: Dashboard): Step => ({
  title: 'Add topics',
  text: 'What your posts are about. One is enough to begin.',
  isDone: topics.length > 0,
  action: (
    <ButtonLink to="/app/topics" size="sm" variant="secondary">
      Add topics
    </ButtonLink>
  ),
});

/** The three things automation needs; what is done is read from the data. */
export function QuickSetup({ dashboard }: { dashboard: Dashboard }) {
  const steps = [subscribeStep(dashboard), connectStep(dashboard), topicsStep(dashboard)];
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card title="Quick Setup" description="Three steps to posts that publish themselves.">
      <Progress value={done} max={3} label={`${done} of 3 steps done`} />
      <div className="mt-6">
        <Steps steps={steps.map((step) => (step.isDone ? { ...step, action: undefined } : step))} />
      </div>
    </Card>
  );
}
