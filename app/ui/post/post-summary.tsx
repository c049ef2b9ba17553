import { PostText, type PostTextProps } from './post-card.tsx';
import { PostImage } from './post-image.tsx';

type PostSummaryProps = PostTextProps & { imageUrl: string | null; altText: string | null };

export const PostSummary = ({ imageUrl, altText, text, hashtags, visibleTags }: PostSummaryProps) => (
  <div className="is-brief flex flex-wrap items-start gap-3">
    <div className="min-w-0 flex-1 basis-60">
      <PostText text={text} hashtags={hashtags} visibleTags={visibleTags} />
    </div>
    {imageUrl && (
      <PostImage src={imageUrl} alt={altText} className="post-thumb shrink-0 rounded-md bg-sunken" />
    )}
  </div>
);
