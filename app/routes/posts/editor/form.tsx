import type { SubmissionResult } from '@conform-to/react';
import { LoaderCircle } from 'lucide-react';
import { type ComponentProps, type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ALT_TEXT_MAX } from '#app/domain/posts/limits.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import type { ListedPost } from '#app/routes/posts/load.ts';
import { useAddressAt, useFrom } from '#app/routes/posts/post-parts.tsx';
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
import { HowWritten } from './provenance.tsx';
import { type Errors, type Typed, typedIn } from './saver.ts';
import { EditorText } from './text-area.tsx';

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

const SAVING = { failure: 'Failed to update post', preventScrollReset: true };

const LIMITS = { altText: { maxLength: ALT_TEXT_MAX } };

const typedOf = ({ content, imageUrl, altText, hashtags }: ListedPost): Typed => ({
  content,
  imageUrl: imageUrl ?? '',
  altText: altText ?? '',
  hashtags: hashtags.join(', '),
});

const whenOf = ({ isWaiting, publishAt }: ListedPost) => (isWaiting && publishAt ? publishAt.text : 'Now');

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
  const say = (field: Field): Field => withErrors(field, saving.errors);
  return (
    <FormPanel
      warnsOnLeave={false}
      form={form}
      fields={{ revision: saving.from }}
      data-saved={(saving.at !== null && !saving.isUnsaved) || undefined}
      action={useAddressAt(search, 'edit', post)}
      {...SAVING}
      onInput={onInput}
      {...leaving}
      className="editor-form"
    >
      <link rel="stylesheet" href={editorStyles} precedence="editor" />
      <h3 className="sr-only">Edit the post</h3>
      <EnterSaves />
      <div className="editor">
        <Segments name="pane" label="Show" choices={PANES} className="editor-panes" />
        <EditorText field={say(fields.content)} {...draft} attach={saving.saver.attach} />
        <div className="editor-side">
          <EditorFields {...others(fields, say)} address={query} />
          {author && <EditorPreview draft={draft} author={author} when={whenOf(post)} />}
        </div>
      </div>
      {post.made && <HowWritten made={post.made} />}
      <Foot post={post} closeTo={closeTo} saving={saving} formErrors={form.errors} />
      <UnsavedBlocker isUnsaved={saving.isUnsaved} onAsk={saving.saver.hold} />
    </FormPanel>
  );
}

type FootProps = Pick<EditFormProps, 'post' | 'closeTo'> & ComponentProps<typeof SaveTrouble>;

/** What ends the edit, and whether all of it is saved. It stays in sight. */
function Foot({ post, closeTo, ...state }: FootProps) {
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

const others = (fields: OtherFields, say: (field: Field) => Field): OtherFields => ({
  hashtags: say(fields.hashtags),
  imageUrl: say(fields.imageUrl),
  altText: say(fields.altText),
});

/** Enter in a field presses the first button that sends its form, and another one comes before the one that saves. */
const EnterSaves = () => <button type="submit" className="sr-only" tabIndex={-1} aria-hidden />;

/** A field with what the last save by itself had against it. */
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

type Fields = Record<keyof Typed, Pick<Field, 'defaultValue'>>;
type Saving = ReturnType<typeof useSaving>;

/** What is typed, as it is typed. */
function useDraft(fields: Fields, { saver }: Saving) {
  const [draft, setDraft] = useState<Typed>({
    content: fields.content.defaultValue ?? '',
    imageUrl: fields.imageUrl.defaultValue ?? '',
    altText: fields.altText.defaultValue ?? '',
    hashtags: fields.hashtags.defaultValue ?? '',
  });
  // What was typed before scripts came counts, too.
  useEffect(() => {
    if (saver.form) setDraft(typedIn(saver.form));
  }, [saver]);
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const { name, value } = target as HTMLInputElement;
    if (name in draft) setDraft((current) => ({ ...current, [name]: value }));
    saver.follow();
  };
  return { draft, onInput };
}

/** Escape leaves the form; Ctrl or Cmd with Enter saves and closes it, as its button does. */
function useLeaving(closeTo: string, { saver, at }: Saving) {
  const navigate = useNavigate();
  const leave = () => void navigate(closeTo, { preventScrollReset: true });
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if ((event.target as Element).closest('dialog')) return;
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const onSubmitCapture = (event: FormEvent<HTMLFormElement>) => {
    const isDone = saver.close();
    if (isDone && at) return;
    event.preventDefault();
    event.stopPropagation();
    if (isDone) leave();
  };
  return { onKeyDown, onSubmitCapture };
}

type OtherFields = Record<'hashtags' | 'imageUrl' | 'altText', Field>;

/** What goes with the text of a post. */
const EditorFields = ({ hashtags, imageUrl, altText, address }: OtherFields & { address: string }) => (
  <div className="editor-fields">
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
      hint="JPEG, PNG or GIF; empty for none"
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
    />
    <AltTextField field={altText} address={address} />
  </div>
);

const WIDTHS = [
  { value: 'phone', label: 'Phone' },
  { value: 'desktop', label: 'Desktop' },
];

type EditorPreviewProps = {
  draft: { content: string; imageUrl: string; altText: string; hashtags: string };
  author: Author;
  when: string;
};

/** What is typed, as LinkedIn will show it; without scripts what was stored. */
function EditorPreview({ draft, author, when }: EditorPreviewProps) {
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

type SavingProps = { saving: ReturnType<typeof useSaving> };

/** Whether everything is saved, and since when. */
const SavedAt = ({ saving }: SavingProps) => {
  const isHydrated = useHydrated();
  return <p className="text-sm text-ink-3 tabular-nums">{statusText(saving) || (isHydrated && BY_ITSELF)}</p>;
};

const BY_ITSELF = 'Saves by itself';

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

const LOST = 'Tidepost did not answer. Your text is still here';

/** Why what is typed is not saved, and what helps. */
function SaveTrouble({ saving, formErrors }: SavingProps & { formErrors: string[] | undefined }) {
  const { isLost, errors, isSaving, saver } = saving;
  const isHydrated = useHydrated();
  const conflict = errors?.revision ?? [];
  const lost = conflict.length > 0 ? LOST : `${LOST}, and we keep trying to save it`;
  const said = isLost ? [lost] : [...((!formErrors && errors?.['']) || []), ...conflict];
  if (said.length === 0) return null;
  return (
    <div role="alert">
      <Banner
        tone="danger"
        title={said.join('. ')}
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
