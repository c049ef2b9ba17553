import { Plus, Sparkles } from 'lucide-react';
import { ButtonLink } from '#app/ui/form/button.tsx';

export const WriteLink = ({ hasTopics }: { hasTopics: boolean }) =>
  hasTopics ? (
    <ButtonLink to="/app/dashboard#generate">
      <Sparkles aria-hidden size={18} />
      Generate now
    </ButtonLink>
  ) : (
    <ButtonLink to="/app/topics?dialog=topic">
      <Plus aria-hidden size={18} />
      Add a topic
    </ButtonLink>
  );
