import { ChartNoAxesColumn } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ENGAGEMENTS } from '#app/domain/posts/limits.ts';
import { PostActionForm } from '#app/routes/posts/post-button.tsx';
import {
  aboutPost,
  type ListedPostProps,
  PostLink,
  useAddressAt,
  useFrom,
} from '#app/routes/posts/post-parts.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { capitalised } from '#app/ui/text.ts';

type NumbersProps = Omit<ListedPostProps, 'isPlanned'>;

export function Numbers(props: NumbersProps) {
  const { engagement, open } = props.post;
  if (open === 'numbers') return <NumbersForm {...props} />;
  if (!engagement) return null;
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {`${engagement.words}.`} <span className="text-ink-3">Typed in by you on {engagement.on}.</span>
    </p>
  );
}

export const NumbersLink = ({ post, search }: Pick<NumbersProps, 'post' | 'search'>) => (
  <PostLink post={post} search={search} opens="numbers" icon={ChartNoAxesColumn}>
    {post.engagement ? 'Change numbers' : 'Type in numbers'}
  </PostLink>
);

type Fields = Record<(typeof ENGAGEMENTS)[number], string>;

const FORM = { failure: 'Failed to save numbers', preventScrollReset: true };

function NumbersForm({ post, search, closeTo, result }: NumbersProps) {
  const { engagement } = post;
  const typed = ENGAGEMENTS.map((name) => [name, engagement?.[name]?.toString() ?? '']);
  const [form, fields] = useFormOf<Fields>(result, {
    id: `numbers-${post.id}`,
    defaultValue: Object.fromEntries(typed),
  });
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Users who type before hydration keep their caret.
    if (panel.current?.contains(document.activeElement)) return;
    panel.current?.querySelector<HTMLInputElement>('input:not([type=hidden])')?.focus();
  }, []);
  return (
    <div ref={panel} className="rounded-md bg-sunken p-4">
      <FormPanel form={form} {...FORM} action={useAddressAt(search, 'numbers', post)}>
        <p className="text-sm text-ink-2">As you read them on LinkedIn; leave out what you do not know.</p>
        <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">
          {ENGAGEMENTS.map((name) => (
            <TextField
              key={name}
              field={fields[name]}
              label={capitalised(name)}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
        </div>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel="Saving…">Save numbers</SubmitButton>
          <ButtonLink to={useFrom(closeTo, post)} preventScrollReset variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </FormPanel>
      {engagement && <Clear post={post} closeTo={closeTo} />}
    </div>
  );
}

const Clear = ({ post, closeTo }: Pick<NumbersProps, 'post' | 'closeTo'>) => (
  <PostActionForm
    post={post}
    closeTo={closeTo}
    verb="clear"
    failure="Failed to clear numbers"
    className="mt-3"
  >
    <SubmitButton size="sm" variant="ghost" busyLabel="Clearing…">
      Clear my numbers<span className="sr-only"> of {aboutPost(post)}</span>
    </SubmitButton>
  </PostActionForm>
);
