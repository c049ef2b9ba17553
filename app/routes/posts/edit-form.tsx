import type { SubmissionResult } from '@conform-to/react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ALT_TEXT_MAX, POST_MAX, POST_NEARLY_MAX } from '#app/domain/posts/limits.ts';
import { commentaryLength } from '#app/integrations/little-text.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { controlProps, type Field, FieldFrame } from '#app/ui/field-parts.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import { PostImage } from '#app/ui/post-image.tsx';
import { useFrom } from './cure-button.tsx';
import { useAddressAt } from './post-parts.tsx';

type Fields = { content: string; imageUrl: string; altText: string; hashtags: string };
type Post = {
  id: string;
  content: string;
  imageUrl: string | null;
  altText: string | null;
  hashtags: string[];
};
type EditFormProps = { post: Post; search: string; closeTo: string; result?: SubmissionResult<string[]> };

const DESCRIPTION_HINT =
  'What the picture shows, in a sentence, for people who cannot see it. A new picture needs a new one.';

const valuesOf = ({ content, imageUrl, altText, hashtags }: Post): Fields => ({
  ...{ content, imageUrl: imageUrl ?? '', altText: altText ?? '' },
  hashtags: hashtags.join(', '),
});

/** Edits a post in its place. The counter counts what LinkedIn counts. */
export function EditForm({ post, search, closeTo, result }: EditFormProps) {
  const [form, fields] = useFormOf<Fields>(result, {
    id: `edit-${post.id}`,
    defaultValue: valuesOf(post),
    constraint: { content: { required: true }, altText: { maxLength: ALT_TEXT_MAX } },
  });
  const { content, imageUrl, altText, hashtags } = fields;
  const { draft, follow, shortcut } = useDraft(fields, closeTo);
  const address = useAddressAt(search, 'edit', post);
  const area = useFirstFocus();
  return (
    <FormPanel form={form} action={address} preventScrollReset onInput={follow} onKeyDown={shortcut}>
      <FieldFrame field={content} label="Content" aside={<Counter {...draft} />}>
        <textarea
          key={content.key}
          defaultValue={content.defaultValue}
          {...controlProps(content, false)}
          ref={area}
          rows={8}
          className="input"
        />
      </FieldFrame>
      <ImageField field={imageUrl} address={draft.imageUrl} />
      <TextArea field={altText} label="Picture description" hint={DESCRIPTION_HINT} rows={2} />
      <TextField
        field={hashtags}
        label="Hashtags"
        hint="Separated by commas"
        autoComplete="off"
        autoCapitalize="none"
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyLabel="Saving…">Save</SubmitButton>
        <ButtonLink to={useFrom(closeTo, post)} preventScrollReset variant="secondary">
          Cancel
        </ButtonLink>
      </div>
    </FormPanel>
  );
}

function useFirstFocus() {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Whoever types before scripts come keeps the caret.
    if (!area.current?.form?.contains(document.activeElement)) area.current?.focus();
  }, []);
  return area;
}

/** What is typed, as it is typed. Escape leaves the form, Ctrl or Cmd with Enter sends it. */
function useDraft(fields: Record<keyof Fields, Pick<Field, 'defaultValue'>>, closeTo: string) {
  const [draft, setDraft] = useState({
    content: fields.content.defaultValue ?? '',
    imageUrl: fields.imageUrl.defaultValue ?? '',
    hashtags: fields.hashtags.defaultValue ?? '',
  });
  const navigate = useNavigate();
  const follow = (event: FormEvent<HTMLFormElement>) => {
    const { name, value } = event.target as HTMLInputElement;
    setDraft((current) => ({ ...current, [name]: value }));
  };
  const shortcut = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') void navigate(closeTo, { preventScrollReset: true });
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  return { draft, follow, shortcut };
}

function ImageField({ field, address }: { field: Field; address: string }) {
  return (
    <>
      <TextField
        field={field}
        label="Image URL"
        hint="The address of a JPEG, PNG or GIF. Leave it empty for no image."
        type="url"
        inputMode="url"
        autoComplete="off"
      />
      {/^https?:\/\/./.test(address) && <PostImage src={address} alt="Preview of the image" />}
    </>
  );
}

function Counter({ content, hashtags }: { content: string; hashtags: string }) {
  const isHydrated = useHydrated();
  if (!isHydrated) return null;
  const words = content.split(/\s+/).filter(Boolean).length;
  const tags = hashtags.split(',');
  const hasTags = tags.some((tag) => tag.trim() !== '');
  const length = commentaryLength(content.trim(), tags);
  const tone =
    length > POST_MAX ? 'font-semibold text-danger-ink' : length > POST_NEARLY_MAX && 'text-warning-ink';
  return (
    <span className={`field-count text-end ${tone || ''}`}>
      {words === 1 ? '1 word' : `${words} words`} · {length.toLocaleString('en')} of{' '}
      {POST_MAX.toLocaleString('en')}
      {hasTags && ' with hashtags'}
      <span className="sr-only" role="status">
        {length > POST_MAX ? `${length - POST_MAX} characters too many` : ''}
      </span>
    </span>
  );
}
