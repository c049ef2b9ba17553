import './top-posts.css';
import { ArrowUpRight, ChevronLeft, ChevronRight } from 'lucide-react';
import { useRouteLoaderData } from 'react-router';
import type { Landing } from '#app/routes/landing/load.ts';
import carousel from './carousel.js?url';

type TopPost = Landing['topPosts'][number];

/** Fewer would leave gaps in the row. */
const POSTS_NEEDED = 3;
const TITLE = 'What went out, and stands there';
const idOf = ({ id }: TopPost) => `post-${id}`;

const TopPostCard = ({ post, position }: { post: TopPost; position: string }) => (
  <li id={idOf(post)} aria-label={position} className="shown-post">
    {post.picture && <img src={post.picture} alt={post.altText ?? ''} loading="lazy" decoding="async" />}
    <h3>{post.topicName}</h3>
    <p className="shown-text" dir="auto">
      {post.content}
    </p>
    {post.hashtags.length > 0 && (
      <p className="shown-tags">
        {post.hashtags.map((tag) => (
          <span key={tag}>#{tag}</span>
        ))}
      </p>
    )}
    <a href={post.url} target="_blank" rel="noopener noreferrer nofollow ugc" className="shown-link">
      View
      <span className="sr-only">{` the post about ${post.topicName} on LinkedIn, in a new tab`}</span>
      <ArrowUpRight aria-hidden size={16} />
    </a>
  </li>
);

/** The dots are links to the posts. The other controls need the module, and are hidden without it. */
const Controls = ({ posts }: { posts: TopPost[] }) => (
  <div className="carousel-controls">
    <nav aria-label="Posts" className="carousel-dots">
      {posts.map((post, index) => (
        <a key={post.id} href={`#${idOf(post)}`}>
          <span className="sr-only">{`Post ${index + 1} of ${posts.length}`}</span>
        </a>
      ))}
    </nav>
    <button type="button" className="carousel-control" aria-label="Previous posts">
      <ChevronLeft aria-hidden size={20} />
    </button>
    <button type="button" className="carousel-control carousel-pause">
      Pause
    </button>
    <button type="button" className="carousel-control" aria-label="Next posts">
      <ChevronRight aria-hidden size={20} />
    </button>
  </div>
);

export function TopPosts({ posts }: { posts: TopPost[] }) {
  const nonce = useRouteLoaderData<{ nonce: string }>('root')?.nonce;
  if (posts.length < POSTS_NEEDED) return null;
  return (
    <section className="band carousel" aria-roledescription="carousel" aria-labelledby="top-posts">
      <h2 id="top-posts" className="section-title">
        {TITLE}
      </h2>
      <p className="mt-4 max-w-prose text-lg text-ink-2">
        Posts that Tidepost published, shown because their authors let us.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <ul tabIndex={0} aria-label={TITLE} className="shown-posts">
        {posts.map((post, index) => (
          <TopPostCard key={post.id} post={post} position={`${index + 1} of ${posts.length}`} />
        ))}
      </ul>
      <Controls posts={posts} />
      <script type="module" src={carousel} nonce={nonce} />
    </section>
  );
}
