import { InterviewOffer } from '#app/routes/voice/interview/offer.tsx';
import { cx } from '#app/ui/cx.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import type { describeVoice } from './present-voice.ts';

type VoiceLineProps = { voice: ReturnType<typeof describeVoice>; className: string };

/** Whose posts these are: what is known of their voice, and the way to it. */
export const VoiceLine = ({ voice: { text, isFilled, isAsked }, className }: VoiceLineProps) => (
  <div className={cx('grid gap-4', className)}>
    <section
      aria-labelledby="your-voice"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line p-4"
    >
      <div className="min-w-0 flex-1 basis-60">
        <h2 id="your-voice" className="text-sm font-semibold">
          Your voice
        </h2>
        <p className="line-clamp-3 text-sm break-words text-ink-2" dir="auto">
          {text}
        </p>
      </div>
      <div className={cx('-me-3 flex flex-wrap gap-2', isFilled && '-ms-3')}>
        <ButtonLink to="/app/voice" size="sm" variant={isFilled ? 'ghost' : 'secondary'}>
          {isFilled ? 'Change voice' : 'Fill in your voice'}
        </ButtonLink>
        <ButtonLink to="/app/voice/facts" size="sm" variant="ghost">
          Facts
        </ButtonLink>
      </div>
    </section>
    {isAsked && <InterviewOffer from="/app/topics" />}
  </div>
);
