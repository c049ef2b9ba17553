import { CalendarArrowUp, Check, type LucideIcon, Pencil, Send } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { hasOutcome } from '#app/routes/posts/history/outcome.tsx';
import { PostActionForm } from '#app/routes/posts/post-button.tsx';
import { aboutPost, useAddressAt, usePublishAddress } from '#app/routes/posts/post-parts.tsx';
import { Badge, StatusBadge } from '#app/ui/components/badge.tsx';
import { cx } from '#app/ui/cx.ts';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { Time } from '#app/ui/time.tsx';
import { isPublishRequested, QueueCard } from './card.tsx';
import type { QueuePage } from './day.tsx';
import type { QueuedPost } from './present.ts';

/** Opens when there is something to see; otherwise the user opens and closes it. */
function useOpen(shouldOpen: boolean) {
  const [isOpen, setOpen] = useState(shouldOpen);
  const [wasRequested, setRequested] = useState(shouldOpen);
  if (wasRequested !== shouldOpen) {
    setRequested(shouldOpen);
    if (shouldOpen) setOpen(true);
  }
  return { isOpen, setOpen };
}

export function QueueLine({ post, ...page }: QueuePage & { post: QueuedPost }) {
  const { id, publishAt, line, imageUrl } = post;
  const { isOpen, setOpen } = useOpen(post.open !== null || post.isExpanded || hasOutcome(post));
  return (
    <li id={`post-${id}`} tabIndex={-1} className={cx('line', publishAt?.isPast && 'is-past')}>
      <CardErrors id={`post-${id}`} />
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="line-head">
          {publishAt ? (
            <Time iso={publishAt.iso} text={publishAt.time} className="line-time" />
          ) : (
            <span className="line-time" aria-hidden>
              –
            </span>
          )}
          <span className="line-state">
            <StatusBadge status={post.badge} />
            {line.held && <Badge tone="warning">{line.held}</Badge>}
          </span>
          <span className={cx('line-text', post.status === 'pending' && 'is-asked')}>
            <span className="line-hook">{post.content.split('\n', 1)[0]}</span>{' '}
            <span className="line-detail">{line.detail}</span>
          </span>
          {imageUrl && <Thumb src={imageUrl} />}
        </summary>
        <QueueCard post={post} {...page} />
      </details>
      {post.isWaiting && <Actions post={post} search={page.search} closeTo={page.closeTo} />}
    </li>
  );
}

/** A broken image is hidden here; the card reports it. */
function Thumb({ src }: { src: string }) {
  const [broken, setBroken] = useState<string>();
  const checkLoaded = (image: HTMLImageElement | null) => {
    // An image that failed before hydration fires no error event.
    if (image?.complete && image.naturalWidth === 0) setBroken(src);
  };
  if (broken === src) return null;
  return (
    <img
      ref={checkLoaded}
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(src)}
      className="line-thumb"
    />
  );
}

type ActionsProps = { post: QueuedPost; search: string; closeTo: string };

function Actions({ post, search, closeTo }: ActionsProps) {
  const about = aboutPost(post);
  const publish = usePublishAddress(search, post);
  const edit = useAddressAt(search, 'edit', post);
  const move = useAddressAt(search, 'move', post);
  return (
    <span className="line-acts">
      {post.status === 'pending' && <Approve post={post} closeTo={closeTo} />}
      {!isPublishRequested(post) && post.status !== 'pending' && (
        <IconLink to={publish} icon={Send} label="Publish now" about={about} />
      )}
      {post.canEdit && <IconLink to={edit} icon={Pencil} label="Edit" about={about} />}
      {post.canMove && <IconLink to={move} icon={CalendarArrowUp} label="Move to…" about={about} />}
    </span>
  );
}

type IconLinkProps = { to: string; icon: LucideIcon; label: string; about: string };

const IconLink = ({ to, icon: Icon, label, about }: IconLinkProps) => (
  <Link to={to} preventScrollReset title={label} className="icon-button">
    <Icon aria-hidden size={18} />
    <span className="sr-only">
      {label} {about}
    </span>
  </Link>
);

const Approve = ({ post, closeTo }: Omit<ActionsProps, 'search'>) => (
  <PostActionForm post={post} closeTo={closeTo} verb="approve" failure="Failed to approve post">
    <SubmitButton size="sm" variant="secondary" title="Approve" busyLabel="Approving…">
      <Check aria-hidden size={18} />
      <span className="max-sm:sr-only">Approve</span>
      <span className="sr-only"> {aboutPost(post)}</span>
    </SubmitButton>
  </PostActionForm>
);
