import { APPROVED_IN_A_ROW } from '#app/domain/publishing/limits.ts';
import { topicAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { spellNumber } from '#app/ui/text.ts';

/** Offers, once per topic, to publish posts about it without approval. */
export const TrustOffer = ({ topic, from }: { topic: { id: string; name: string }; from: string }) => (
  <Banner className="mb-6">
    <p className="text-pretty">
      You approved the last {spellNumber(APPROVED_IN_A_ROW)} posts about “{topic.name}” as they were written:
      shall the next ones go out without asking?
    </p>
    <div className="mt-3 flex flex-wrap gap-2">
      <ActionForm
        action={topicAddress(topic.id, 'trust')}
        failure="Failed to save topic"
        fields={{ from }}
        preventScrollReset
      >
        <SubmitButton size="sm" variant="secondary" busyLabel="Saving…">
          Publish without asking
        </SubmitButton>
      </ActionForm>
      <ActionForm
        action={topicAddress(topic.id, 'ask')}
        failure="Failed to save topic"
        fields={{ from }}
        preventScrollReset
      >
        <SubmitButton size="sm" variant="ghost" busyLabel="Saving…">
          Keep asking
        </SubmitButton>
      </ActionForm>
    </div>
  </Banner>
);
