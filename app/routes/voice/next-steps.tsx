import { ButtonLink } from '#app/ui/form/button.tsx';
import { QUESTIONS } from './tabs.tsx';

export const NextStepLink = ({ hasTopics }: { hasTopics: boolean }) => (
  <ButtonLink to={hasTopics ? '/app/dashboard#generate' : '/app/topics?dialog=topic'} variant="secondary">
    {hasTopics ? 'Write posts with them' : 'Add a topic to write about'}
  </ButtonLink>
);

export const AnswerQuestions = () => (
  <ButtonLink to={QUESTIONS} variant="secondary">
    Answer a few questions
  </ButtonLink>
);
