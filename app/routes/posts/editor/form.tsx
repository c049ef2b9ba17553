import { LoaderCircle } from 'lucide-react';
import { type ComponentProps, type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ALT_TEXT_MAX } from '#app/domain/posts/limits.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { type ListedPostProps, useAddressAt, useFrom } from '#app/routes/posts/post-parts.tsx';
import { Segments } from '#app/ui/components/segments.tsx';
import { Button, ButtonLink } from '#app/ui/form/button.tsx';
import type { Field } from '#app/ui/form/field.tsx';
import { FormPanel, SubmitButton, TextField, useFormOf } from '#app/ui/form/form.tsx';
import { UnsavedBlocker } from '#app/ui/form/unsaved/use-unsaved-blocker.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { type Author, PostPreview } from '#app/ui/post/post-preview.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { AltTextField } from './alt-text-field.tsx';
import { useSaving } from './autosave.ts';
import editorStyles from './editor.css?url';
import { ProvenanceDetails } from './provenance.tsx';
import { type EditorFields, type Errors, readFields } from './saver.ts';
import { EditorText } from './text-area.tsx';

type EditFormProps = Omit<ListedPostProps, 'isPlanned'>;

const PANES = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
];

const FORM = { failure: 'Failed to update post', preventScrollReset: true };

const LIMITS = { altText: { maxLength: ALT_TEXT_MAX } };

const initialFields = ({ content, imageUrl, altText, hashtags }: ListedPost): EditorFields => ({
  content,
  imageUrl: imageUrl ?? '',
  altText: altText ?? '',
  hashtags: hashtags.join(', '),
});

const whenOf = ({ isWaiting, publishAt }: ListedPost) => (isWaiting && publishAt ? publishAt.text : 'Now');

/** Edits a post in its place, beside a preview. With scripts, changes are saved automatically. */
export function EditForm({ post, search, closeTo, result }: EditFormProps) {
  const { id, revision, author } = post;
  const initial = initialFields(post);
  const [form, fields] = useFormOf<EditorFields>(result, {
    id: `edit-${id}`,
    defaultValue: initial,
    constraint: LIMITS,
  });
  const query = `?${search ? `${search}&` : ''}edit=${id}`;
  const saving = useSaving({ address: query, initial, revision, result });
  const { draft, onInput } = useDraft(fields, saving);
  const formEvents = useFormEvents(closeTo, saving);
  return (
    <FormPanel
      warnsOnLeave={false}
      form={form}
      fields={{ revision: saving.revision }}
      data-saved={(saving.at !== null && !saving.isUnsaved) || undefined}
      action={useAddressAt(search, 'edit', post)}
      {...FORM}
      onInput={onInput}
      {...formEvents}
      className="editor-form"
    >
      <link rel="stylesheet" href={editorStyles} precedence="editor" />
      <h3 className="sr-only">Edit the post</h3>
      <EnterButton />
      <div className="editor">
        <Segments name="pane" label="Show" choices={PANES} className="editor-panes" />
        <EditorText
          field={withErrors(fields.content, saving.errors)}
          {...draft}
          attach={saving.saver.attach}
        />
        <div className="editor-side">
          <Details fields={fields} errors={saving.errors} address={query} />
          {author && <EditorPreview draft={draft} author={author} when={whenOf(post)} />}
        </div>
      </div>
      {post.provenance && <ProvenanceDetails provenance={post.provenance} />}
      <Footer post={post} closeTo={closeTo} saving={saving} formErrors={form.errors} />
      <UnsavedBlocker isUnsaved={saving.isUnsaved} onAsk={saving.saver.setBlocked} />
    </FormPanel>
  );
}

type FooterProps = Pick<EditFormProps, 'post' | 'closeTo'> & ComponentProps<typeof SaveTrouble>;

function Footer({ post, closeTo, ...state }: FooterProps) {
  const isHydrated = useHydrated();
  return (
    <div className="editor-foot">
      <SaveTrouble {...state} />
      <SubmitButton busyLabel="Saving…">{isHydrated ? 'Done' : 'Save'}</SubmitButton>
      <ButtonLink to={useFrom(closeTo, post)} preventScrollReset variant="secondary">
        Cancel
      </ButtonLink>
      <SavedAt saving={state.saving} />
    </div>
  );
}

/** Enter in a field presses the first submit button of its form, which must be one that saves and not "Suggest". */
const EnterButton = () => <button type="submit" className="sr-only" tabIndex={-1} aria-hidden />;

function withErrors(field: Field, errors: Errors | null): Field {
  if (!errors) return field;
  const { key, id, name, formId, errorId, descriptionId, defaultValue, maxLength } = field;
  return {
    key,
    id,
    name,
    formId,
    errorId,
    descriptionId,
    defaultValue,
    maxLength,
    errors: errors[name] ?? undefined,
  } as Field;
}

type Fields = Record<keyof EditorFields, Pick<Field, 'defaultValue'>>;
type Saving = ReturnType<typeof useSaving>;

function useDraft(fields: Fields, { saver }: Saving) {
  const [draft, setDraft] = useState<EditorFields>({
    content: fields.content.defaultValue ?? '',
    imageUrl: fields.imageUrl.defaultValue ?? '',
    altText: fields.altText.defaultValue ?? '',
    hashtags: fields.hashtags.defaultValue ?? '',
  });
  // Includes what was typed before hydration.
  useEffect(() => {
    if (saver.form) setDraft(readFields(saver.form));
  }, [saver]);
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const { name, value } = target as HTMLInputElement;
    if (name in draft) setDraft((current) => ({ ...current, [name]: value }));
    saver.onInput();
  };
  return { draft, onInput };
}

/** Escape closes the form; Ctrl or Cmd with Enter saves and closes it, as its button does. */
function useFormEvents(closeTo: string, { saver, at }: Saving) {
  const navigate = useNavigate();
  const close = () => void navigate(closeTo, { preventScrollReset: true });
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if ((event.target as Element).closest('dialog')) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const onSubmitCapture = (event: FormEvent<HTMLFormElement>) => {
    const isDone = saver.close();
    if (isDone && at) return;
    event.preventDefault();
    event.stopPropagation();
    if (isDone) close();
  };
  return { onKeyDown, onSubmitCapture };
}

type DetailsProps = {
  fields: Record<'hashtags' | 'imageUrl' | 'altText', Field>;
  errors: Errors | null;
  address: string;
};

const Details = ({ fields, errors, address }: DetailsProps) => (
  <div className="editor-fields">
    <TextField
      field={withErrors(fields.hashtags, errors)}
      label="Hashtags"
      hint="Separated by commas"
      autoComplete="off"
      autoCapitalize="none"
    />
    <TextField
      field={withErrors(fields.imageUrl, errors)}
      label="Image URL"
      hint="JPEG, PNG or GIF; empty for none"
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
    />
    <AltTextField field={withErrors(fields.altText, errors)} address={address} />
  </div>
);

const WIDTHS = [
  { value: 'phone', label: 'Phone' },
  { value: 'desktop', label: 'Desktop' },
];

function EditorPreview({ draft, author, when }: { draft: EditorFields; author: Author; when: string }) {
  const { content, imageUrl, altText, hashtags } = draft;
  return (
    <aside className="editor-preview" aria-label="Preview">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">As LinkedIn shows it</h3>
        <Segments name="width" label="Width of the preview" choices={WIDTHS} className="editor-width" />
      </div>
      <PostPreview
        author={author}
        when={when}
        text={parseLittleText(content.trim(), hashtags.split(','))}
        imageUrl={/^https?:\/\/./.test(imageUrl) ? imageUrl : null}
        altText={altText || 'Preview of the image'}
      />
      <p className="text-xs text-ink-3">Where it folds depends on the reader’s screen.</p>
    </aside>
  );
}

type SavingProps = { saving: Saving };

const SavedAt = ({ saving }: SavingProps) => {
  const isHydrated = useHydrated();
  return <p className="text-sm text-ink-3 tabular-nums">{statusText(saving) || (isHydrated && AUTOSAVES)}</p>;
};

const AUTOSAVES = 'Saves by itself';

function statusText({ isSaving, isUnsaved, isLost, errors, at }: SavingProps['saving']) {
  if (isSaving) {
    return (
      <>
        <LoaderCircle aria-hidden className="spinner me-1 inline" size={14} />
        Saving…
      </>
    );
  }
  const isRefused = isLost || Object.keys(errors ?? {}).length > 0;
  if (isRefused) return 'Not saved';
  if (isUnsaved) return 'Not saved yet';
  return at && `Saved ${at}`;
}

const NO_ANSWER = 'Tidepost did not answer. Your text is still here';

function SaveTrouble({ saving, formErrors }: SavingProps & { formErrors: string[] | undefined }) {
  const { isLost, errors, isSaving, saver } = saving;
  const isHydrated = useHydrated();
  const conflict = errors?.revision ?? [];
  const noAnswer = conflict.length > 0 ? NO_ANSWER : `${NO_ANSWER}, and we keep trying to save it`;
  const messages = isLost ? [noAnswer] : [...((!formErrors && errors?.['']) || []), ...conflict];
  if (messages.length === 0) return null;
  return (
    <div role="alert">
      <Banner
        tone="danger"
        title={messages.join('. ')}
        action={
          isHydrated && (
            <Button size="sm" variant="secondary" isBusy={isSaving} onClick={saver.send}>
              {conflict.length > 0 ? 'Save mine instead' : 'Retry'}
            </Button>
          )
        }
      />
    </div>
  );
}
