import { shownText } from '#app/integrations/little-text.ts';
import { Segments } from '#app/ui/components/segments.tsx';
import { type Author, PostPreview } from '#app/ui/post/post-preview.tsx';

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
export function EditorPreview({ draft, author, when }: EditorPreviewProps) {
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
        text={shownText(content.trim(), hashtags.split(','))}
        imageUrl={/^https?:\/\/./.test(imageUrl) ? imageUrl : null}
        altText={altText || 'Preview of the image'}
      />
      <p className="text-xs text-ink-3">Where it folds depends on the reader’s screen.</p>
    </aside>
  );
}
