import { ChevronUp } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import {
  FEEDBACK_DESCRIPTION_MAX,
  FEEDBACK_TITLE_MAX,
  FEEDBACK_TYPES,
  type FeedbackType,
  RATING_MAX,
} from '#app/domain/feedback/limits.ts';
import { Badge } from '#app/ui/components/badge.tsx';
import {
  FieldError,
  FormPanel,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
  useFormOf,
} from '#app/ui/form/form.tsx';
import { FeedbackBadge } from '#app/ui/post/status-badges.tsx';
import { optionsOf } from '#app/ui/text.ts';
import { GIVE, openAddress, SIMILAR, voteAddress } from './paths.ts';
import type { SimilarEntry } from './present.ts';
import type { FeedbackResult } from './save.ts';

type Fields = { type: FeedbackType; title: string; description: string; rating: string };

const TYPES = optionsOf(FEEDBACK_TYPES);
const RATINGS = Array.from({ length: RATING_MAX + 1 }, (_, stars) => `${stars}`);
const CONSTRAINT = {
  type: { required: true },
  title: { required: true, maxLength: FEEDBACK_TITLE_MAX },
  description: { required: true, maxLength: FEEDBACK_DESCRIPTION_MAX },
};

type FeedbackFormProps = {
  /** Undefined before the form was sent. */
  sent?: FeedbackResult | undefined;
  /** The page to return to. The default is the user's own feedback on the board. */
  back?: string;
  /** Set where a fetcher sends the form instead of the page. */
  fetcherKey?: string;
  isBusy?: boolean;
};

/** Shown on the board and in the help. */
export function FeedbackForm({ sent, back, fetcherKey, isBusy }: FeedbackFormProps) {
  const [form, fields] = useFormOf<Fields>(sent?.result, {
    id: 'feedback',
    defaultValue: { type: 'general', rating: '0' },
    constraint: CONSTRAINT,
  });
  const [found, setFound] = useState<SimilarEntry[] | null>(null);
  const similar = found ?? sent?.similar ?? [];
  const search = ({ currentTarget }: FormEvent<HTMLInputElement>) =>
    void fetchSimilar(currentTarget.value, setFound);
  return (
    <FormPanel
      form={form}
      action={GIVE}
      failure="Failed to submit feedback"
      isOnce
      className="mt-4"
      fields={back === undefined ? {} : { back }}
      {...(fetcherKey && { navigate: false, fetcherKey, warnsOnLeave: false })}
    >
      <SelectField field={fields.type} label="Type" options={TYPES} />
      <TextField field={fields.title} label="Title" autoComplete="off" onInput={search} dir="auto" />
      <Similar entries={similar} isBeforeSubmit={(sent?.similar.length ?? 0) > 0} />
      <TextArea
        field={fields.description}
        label="Description"
        hint="Everybody who is signed in can read title and description, without your name."
        rows={4}
        dir="auto"
      />
      <Rating field={fields.rating} />
      <input type="hidden" name="seen" value={similar.map(({ id }) => id).join()} />
      <SubmitButton isBusy={isBusy} busyLabel="Submitting…">
        Submit Feedback
      </SubmitButton>
    </FormPanel>
  );
}

type RatingProps = { field: ReturnType<typeof useFormOf<Fields>>[1]['rating'] };

const Rating = ({ field }: RatingProps) => (
  <fieldset className="field">
    <legend className="field-label mb-1">Rating (optional)</legend>
    <p className="field-hint">How do you like Tidepost so far? Only you and we see it.</p>
    <div className="rating">
      {RATINGS.map((stars) => (
        <label key={stars}>
          <input
            type="radio"
            name={field.name}
            value={stars}
            defaultChecked={(field.initialValue ?? '0') === stars}
            className="sr-only"
          />
          {stars === '0' ? 'None' : <Stars count={Number(stars)} />}
        </label>
      ))}
    </div>
    <FieldError field={field} />
  </fieldset>
);

const Stars = ({ count }: { count: number }) => (
  <>
    {count}
    <span aria-hidden className="rating-star">
      ★
    </span>
    <span className="sr-only">{count === 1 ? 'star' : 'stars'}</span>
  </>
);

const PAUSE_MS = 250;
let latest: AbortController | undefined;

/** Waits until the user pauses typing. When the request fails, the entries that are shown stay. */
async function fetchSimilar(title: string, show: (found: SimilarEntry[]) => void): Promise<void> {
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (signal.aborted) return;
  const response = await fetch(`${SIMILAR}?${new URLSearchParams({ title })}`, { signal }).catch(
    () => undefined,
  );
  const found: SimilarEntry[] | undefined = await response?.json().catch(() => undefined);
  if (response?.ok && found && !signal.aborted) show(found);
}

/** Inside the form: its vote buttons submit the form to another address. */
const Similar = ({ entries, isBeforeSubmit }: { entries: SimilarEntry[]; isBeforeSubmit: boolean }) => (
  <div role="status" className="similar" hidden={entries.length === 0}>
    {entries.length > 0 && (
      <>
        <p className="font-semibold">Is it one of these?</p>
        <p className="text-sm text-ink-2">
          {isBeforeSubmit
            ? 'Vote for it, or press Submit Feedback once more.'
            : 'A vote says as much as saying it again.'}
        </p>
        <ul>
          {entries.map((entry) => (
            <SimilarLine key={entry.id} {...entry} />
          ))}
        </ul>
      </>
    )}
  </div>
);

const SimilarLine = ({ id, title, status, upvotes, hasVoted, isOwn }: SimilarEntry) => (
  <li>
    <span className="min-w-0">
      <Link to={openAddress(id)} target="_blank" className="similar-title" dir="auto">
        {title}
        <span className="sr-only"> (opens in a new tab)</span>
      </Link>
      <span className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
        <FeedbackBadge status={status} />
        {isOwn && <Badge>Yours</Badge>}
        {upvotes === 1 ? '1 vote' : `${upvotes} votes`}
      </span>
    </span>
    {hasVoted ? (
      <span className="text-sm text-ink-2">You voted</span>
    ) : (
      <button
        type="submit"
        formAction={voteAddress(id)}
        formNoValidate
        name="wanted"
        value="up"
        className="btn btn-sm btn-secondary"
      >
        <ChevronUp aria-hidden size={16} />
        Vote<span className="sr-only"> for “{title}”</span>
      </button>
    )}
  </li>
);
