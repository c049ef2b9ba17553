import { INTERVIEW } from '#app/domain/voice/limits.ts';
import { cx } from '#app/ui/cx.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { spellNumberFirst } from '#app/ui/text.ts';

type InterviewOfferProps = { from: '/app/topics' | '/app/dashboard'; className?: string };

/** Offers the questions until they are answered or hidden. */
export const InterviewOffer = ({ from, className }: InterviewOfferProps) => (
  <div className={cx('flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md bg-sunken p-4', className)}>
    <p className="min-w-0 flex-1 basis-60 text-ink-2">
      {spellNumberFirst(INTERVIEW.length)} questions, three minutes: posts get better with them.
    </p>
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/app/voice/interview" size="sm" variant="secondary">
        Answer them
      </ButtonLink>
      <ActionForm
        action="/app/voice/interview/away"
        failure="Failed to put the questions away"
        fields={{ from }}
        preventScrollReset
      >
        <SubmitButton size="sm" variant="ghost" busyLabel="One moment…">
          Not now
        </SubmitButton>
      </ActionForm>
    </div>
  </div>
);
