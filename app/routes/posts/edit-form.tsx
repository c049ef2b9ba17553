import type { SubmissionResult } from '@conform-to/react';
import { ALT_TEXT_MAX } from '#app/domain/posts/limits.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import type { Field } from '#app/ui/field-parts.tsx';
import { FormPanel, SubmitButton, TextArea, TextField, useFormOf } from '#app/ui/form.tsx';
import { useHydrated } from '#app/ui/hydrated.ts';
import { Segments } from '#app/ui/segments.tsx';
import { Unsaved } from '#app/ui/unsaved.tsx';
import { useFrom } from './cure-button.tsx';
import { useDraft, useLeaving } from './editor-draft.ts';
import { EditorPreview } from './editor-preview.tsx';
import { useSaving } from './editor-saving.ts';
import { EditorHead, SaveTrouble } from './editor-state.tsx';
import { EditorText } from './editor-text.tsx';
import type { ListedPost } from './load.ts';
import { useAddressAt } from './post-parts.tsx';
import type { Errors, Typed } from './saver.ts';

type EditFormProps = {
  post: ListedPost;
  search: string;
  closeTo: string;
  result?: SubmissionResult<string[]>;
};

const PANES = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
];

const DESCRIPTION_HINT =
  'What the picture shows, in a sentence, for people who cannot see it. A new picture needs a new one.';

const SAVING = { failure: 'Failed to update post', preventScrollReset: true };

const LIMITS = { altText: { maxLength: ALT_TEXT_MAX } };

const typedOf = ({ content, imageUrl, altText, hashtags }: ListedPost): Typed => ({
  ...{ content, imageUrl: imageUrl ?? '', altText: altText ?? '' },
  hashtags: hashtags.join(', '),
});

/** Edits a post in its place, beside what LinkedIn will show of it. Scripts save it while somebody writes. */
export function EditForm({ post, search, closeTo, result }: EditFormProps) {
  const { id, revision, author } = post;
  const typed = typedOf(post);
  const [form, fields] = useFormOf<Typed>(result, {
    id: `edit-${id}`,
    defaultValue: typed,
    constraint: LIMITS,
  });
  const query = `?${search ? `${search}&` : ''}edit=${id}`;
  const saving = useSaving({ address: query, typed, revision, result });
  const { draft, onInput } = useDraft(fields, saving);
  const leaving = useLeaving(closeTo, saving);
  const say = (field: Field): Field => told(field, saving.errors);
  const when = post.isWaiting && post.publishAt ? post.publishAt.text : 'Now';
  return (
    <FormPanel
      asksToLeave={false}
      form={form}
      fields={{ revision: saving.at ? saving.from : `${revision}` }}
      action={useAddressAt(search, 'edit', post)}
      {...SAVING}
      onInput={onInput}
      {...leaving}
    >
      <EditorHead when={when} saving={saving} />
      <SaveTrouble saving={saving} formErrors={form.errors} />
      <div className="editor">
        <Segments name="pane" label="Show" choices={PANES} className="editor-panes" />
        <div className="editor-write">
          <EditorText field={say(fields.content)} {...draft} attach={saving.saver.attach} />
          <OtherFields {...others(fields, say)} />
        </div>
        {author && <EditorPreview draft={draft} author={author} when={when} />}
      </div>
      <Ways post={post} closeTo={closeTo} />
      <Unsaved isUnsaved={saving.isUnsaved} onAsk={saving.saver.hold} />
    </FormPanel>
  );
}

function Ways({ post, closeTo }: Pick<EditFormProps, 'post' | 'closeTo'>) {
  const isHydrated = useHydrated();
  return (
    <div className="flex flex-wrap gap-3">
      <SubmitButton busyLabel="Saving…">{isHydrated ? 'Done' : 'Save'}</SubmitButton>
      <ButtonLink to={useFrom(closeTo, post)} preventScrollReset variant="secondary">
        Cancel
      </ButtonLink>
    </div>
  );
}

const others = (fields: OtherFieldsProps, say: (field: Field) => Field): OtherFieldsProps => ({
  hashtags: say(fields.hashtags),
  imageUrl: say(fields.imageUrl),
  altText: say(fields.altText),
});

type OtherFieldsProps = Record<'hashtags' | 'imageUrl' | 'altText', Field>;

const OtherFields = ({ hashtags, imageUrl, altText }: OtherFieldsProps) => (
  <>
    <TextField
      field={hashtags}
      label="Hashtags"
      hint="Separated by commas"
      autoComplete="off"
      autoCapitalize="none"
    />
    <TextField
      field={imageUrl}
      label="Image URL"
      hint="The address of a JPEG, PNG or GIF. Leave it empty for no image."
      type="url"
      inputMode="url"
      autoComplete="off"
    />
    <TextArea field={altText} label="Picture description" hint={DESCRIPTION_HINT} rows={2} />
  </>
);

/** A field with what the last save by itself had against it. */
function told(field: Field, errors: Errors | null): Field {
  if (!errors) return field;
  const { key, id, name, formId, errorId, descriptionId, defaultValue, maxLength } = field;
  return {
    ...{ key, id, name, formId, errorId, descriptionId, defaultValue, maxLength },
    errors: errors[name] ?? undefined,
  } as Field;
}
