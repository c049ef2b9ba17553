import { useCallback, useEffect, useRef } from 'react';
import { HOOK_MAX, POST_MAX, POST_NEARLY_MAX } from '#app/domain/posts/limits.ts';
import { commentaryLength } from '#app/integrations/linkedin/little-text.ts';
import { controlProps, type Field, FieldFrame } from '#app/ui/form/field.tsx';
import { restoreEarlyInput } from '#app/ui/form/hydration-input.ts';
import { foldAt } from '#app/ui/post/truncate.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type EditorTextProps = {
  field: Field;
  content: string;
  hashtags: string;
  attach: (form: HTMLFormElement | null) => void;
};

export function EditorText({ field, content, hashtags, attach }: EditorTextProps) {
  const isHydrated = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  const setArea = useCallback((element: HTMLTextAreaElement | null) => {
    area.current = element;
    restoreEarlyInput(element);
  }, []);
  useEffect(() => {
    const form = area.current?.form ?? null;
    attach(form);
    // Users who type before hydration keep their caret.
    if (form?.contains(document.activeElement)) return;
    area.current?.focus({ preventScroll: true });
    form?.scrollIntoView({ block: 'nearest' });
  }, [attach]);
  return (
    <FieldFrame field={field} label="Content" className="editor-write">
      <div className="paper">
        {isHydrated && <Mirror text={content} />}
        <textarea
          key={field.key}
          defaultValue={field.defaultValue}
          {...controlProps(field, false)}
          ref={setArea}
          rows={8}
        />
      </div>
      {isHydrated && <Counters content={content} hashtags={hashtags} />}
    </FieldFrame>
  );
}

/** The same text behind the text area: gives it its height, and shows the fold. */
function Mirror({ text }: { text: string }) {
  const foldIndex = foldAt(text);
  return (
    <div aria-hidden className="paper-mirror">
      {text.slice(0, foldIndex ?? undefined)}
      {foldIndex !== null && (
        <>
          <span className="paper-fold" data-label="LinkedIn folds here" />
          {text.slice(foldIndex)}
        </>
      )}{' '}
    </div>
  );
}

const formatCount = (count: number) => count.toLocaleString('en');

function Counters({ content, hashtags }: { content: string; hashtags: string }) {
  const words = content.split(/\s+/).filter(Boolean).length;
  const tags = hashtags.split(',');
  const hasTags = tags.some((tag) => tag.trim() !== '');
  const length = commentaryLength(content.trim(), tags);
  const text = content.trimEnd();
  const fold = foldAt(text);
  const tone =
    length > POST_MAX ? 'font-semibold text-danger-ink' : length > POST_NEARLY_MAX && 'text-warning-ink';
  return (
    <p className="field-count">
      {words === 1 ? '1 word' : `${formatCount(words)} words`} ·{' '}
      <span className={tone || ''}>
        {formatCount(length)} of {formatCount(POST_MAX)}
        {hasTags && ' with hashtags'}
      </span>{' '}
      · hook {fold ?? Math.min(text.length, HOOK_MAX)} of {HOOK_MAX}
      {fold !== null && ', folded on LinkedIn'}
      <span className="sr-only" role="status">
        {length > POST_MAX
          ? 'The post is too long for LinkedIn'
          : length > POST_NEARLY_MAX && 'The post is nearly as long as LinkedIn takes'}
      </span>
    </p>
  );
}
