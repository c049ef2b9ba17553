import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { topicAddress } from '../verbs.ts';

type QuestionProps = { topic: { id: string; name: string } };

export const DeleteQuestion = ({ topic }: QuestionProps) => (
  <ConfirmDialog
    failure="Failed to delete topic"
    title={`Delete “${topic.name}”?`}
    body="Posts already written about it stay where they are. This action cannot be undone."
    closeTo="/app/topics"
    confirmLabel="Delete topic"
    action={topicAddress(topic.id, 'delete')}
  />
);

export const DeactivateQuestion = ({ topic }: QuestionProps) => (
  <ConfirmDialog
    failure="Failed to toggle topic status"
    title={`Deactivate “${topic.name}”?`}
    body="Nothing new is written about it until you activate it again. Posts already written stay where they are."
    closeTo="/app/topics"
    confirmLabel="Deactivate topic"
    action={topicAddress(topic.id, 'toggle')}
    tone="neutral"
  />
);
