import { type FormEvent, useState } from 'react';
import {
  FEEDBACK_DESCRIPTION_MAX,
  FEEDBACK_TITLE_MAX,
  FEEDBACK_TYPES,
  type FeedbackType,
  RATING_MAX,
} from '#app/domain/feedback/limits.ts';
import {
  FieldError,
  FormPanel,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
  useFormOf,
} from '#app/ui/form/form.tsx';
import { optionsOf } from '#app/ui/options.ts';
import { askSimilar } from './fetch-similar.ts';
import { GIVE } from './paths.ts';
import type { SimilarEntry } from './present.ts';
import type { Answered } from './save.ts';
import { Similar } from './similar-list.tsx';

type Fields = { type: FeedbackType; title: string; description: string; rating: string };

const TYPES = optionsOf(FEEDBACK_TYPES);
const RATINGS = Array.from({ length: RATING_MAX + 1 }, (_, stars) => `${stars}`);
const CONSTRAINT = {
  type: { required: true },
  title: { required: true, maxLength: FEEDBACK_TITLE_MAX },
  description: { required: true, maxLength: FEEDBACK_DESCRIPTION_MAX },
};

/** What is like the title: what the server has found, and then what is found while somebody types. */
function useSimilar(answered: Answered | undefined) {
  const [typed, setTyped] = useState<SimilarEntry[] | null>(null);
  const ask = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    void askSimilar(currentTarget.value, setTyped);
  };
  return { similar: typed ?? answered?.similar ?? [], ask };
}

type FeedbackFormProps = {
  /** What became of it when it was sent. */
  answered?: Answered | undefined;
  /** Where its reader goes on when it is taken; else to what they have said on the board. */
  back?: string;
  /** The key of what brings the answer, where it is not the page. */
  fetcherKey?: string;
  isBusy?: boolean;
};

/** Takes feedback; the same on the board and in the help. */
export function FeedbackForm({ answered, back, fetcherKey, isBusy }: FeedbackFormProps) {
  const [form, fields] = useFormOf<Fields>(answered?.result, {
    id: 'feedback',
    defaultValue: { type: 'general', rating: '0' },
    constraint: CONSTRAINT,
  });
  const { similar, ask } = useSimilar(answered);
  return (
    <FormPanel
      form={form}
      action={GIVE}
      failure="Failed to submit feedback"
      isOnce
      className="mt-4"
      fields={back === undefined ? {} : { back }}
      {...(fetcherKey && { navigate: false, fetcherKey, asksToLeave: false })}
    >
      <SelectField field={fields.type} label="Type" options={TYPES} />
      <TextField field={fields.title} label="Title" autoComplete="off" onInput={ask} dir="auto" />
      <Similar entries={similar} isAsking={(answered?.similar.length ?? 0) > 0} />
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

/** How content somebody is, if they want to say: only they and we see it. */
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
