import { Globe, MessageSquareText, Repeat2, Send, ThumbsUp } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Avatar } from '#app/ui/components/avatar.tsx';
import { PostImage } from './post-image.tsx';
import { foldsOn, visibleLines } from './truncate.ts';

export type Author = { name: string; headline: string; picture: string | null };

type PostPreviewProps = {
  author: Author;
  text: readonly { text: string; isHashtag: boolean }[];
  /** Shown in place of the post's age: "Tomorrow, 09:00". */
  when: string;
  imageUrl?: string | null;
  altText?: string | null;
  isOpen?: boolean;
};

const REACTIONS = [
  { icon: ThumbsUp, label: 'Like' },
  { icon: MessageSquareText, label: 'Comment' },
  { icon: Repeat2, label: 'Repost' },
  { icon: Send, label: 'Send' },
];

/**
 * A post as LinkedIn will show it: up to a width of 400 pixels as on a phone, else as on a desktop. Long texts are truncated
 * where LinkedIn does it, and "…more" opens them without scripts.
 */
export function PostPreview({ author, text, when, imageUrl, altText, isOpen }: PostPreviewProps) {
  return (
    <article className="preview" aria-label="The post as LinkedIn shows it">
      <header className="preview-head">
        <Avatar {...author} />
        <div className="min-w-0">
          <p className="preview-line font-semibold">{author.name || 'You'}</p>
          {author.headline && <p className="preview-line preview-meta">{author.headline}</p>}
          <p className="preview-meta flex items-center gap-1">
            {when} <span aria-hidden>·</span>
            <Globe aria-hidden size={14} />
            <span className="sr-only">Visible to anyone</span>
          </p>
        </div>
      </header>
      <TruncatedText text={text} isOpen={isOpen} />
      {imageUrl && <PostImage src={imageUrl} alt={altText} className="preview-image" />}
      <div aria-hidden className="preview-reactions">
        {REACTIONS.map(({ icon: Icon, label }) => (
          <span key={label}>
            <Icon size={18} />
            {label}
          </span>
        ))}
      </div>
    </article>
  );
}

function TruncatedText({ text, isOpen }: Pick<PostPreviewProps, 'text' | 'isOpen'>) {
  const fullText = text.map((part) => part.text).join('');
  const folds = foldsOn(fullText);
  const { wide, narrow } = visibleLines(fullText);
  return (
    <div
      className="preview-text"
      data-folds={folds}
      style={{ '--wide': wide, '--narrow': narrow } as CSSProperties}
    >
      <p className="preview-body">
        {text.map((part, index) =>
          part.isHashtag ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key than their index.
            <span key={index} className="preview-hashtag">
              {part.text}
            </span>
          ) : (
            part.text
          ),
        )}
      </p>
      {folds !== 'none' && (
        <details className="preview-fold" open={isOpen}>
          <summary>
            <span className="preview-more">…more</span>
            <span className="preview-less">Show less</span>
          </summary>
        </details>
      )}
    </div>
  );
}
