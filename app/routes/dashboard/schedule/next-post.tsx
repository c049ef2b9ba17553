import { Pencil } from 'lucide-react';
import { Link } from 'react-router';
import { postAddress } from '#app/routes/actions.ts';
import type { DashboardData } from '#app/routes/dashboard/load.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import { PostPreview } from '#app/ui/post/post-preview.tsx';
import { Time } from '#app/ui/time.tsx';
import type { Next } from './present-next-post.ts';

export function NextPost({ dashboard: { next, days, zone, isReady, run } }: { dashboard: DashboardData }) {
  if (!next) return isReady && run?.isOpen ? <NextPostPlaceholder /> : null;
  return (
    <section id={`post-${next.id}`} tabIndex={-1} aria-labelledby="next-out" className="next-out">
      <div className="next-out-post">
        <CardErrors id={`post-${next.id}`} />
        <PostPreview {...next} when={`${next.day}, ${next.time.text}`} />
      </div>
      <div className="next-out-when">
        <h2 id="next-out" className="text-sm font-medium text-ink-2">
          {next.heading}
        </h2>
        <Time {...next.time} className="font-display text-3xl font-semibold tabular-nums" />
        <p className="text-sm text-ink-2">{[next.day, next.until].filter(Boolean).join(', ')}</p>
        {days.length === 0 && <p className="text-sm text-ink-3">{zone}</p>}
        <Actions next={next} />
      </div>
    </section>
  );
}

/** Reserves the space of the first post while it is written, so that the layout doesn't shift. */
const NextPostPlaceholder = () => (
  <section className="next-out block">
    <div className="next-out-post coming min-h-80">
      <p className="mb-4 text-ink-3">Your next post is being written.</p>
      <i />
      <i />
      <i />
    </div>
  </section>
);

function Actions({ next }: { next: Next }) {
  const { id, revision, badge, isOnItsWay, canEdit, words } = next;
  return (
    <>
      <p className="mt-3 text-sm text-ink-2">{words}</p>
      {!isOnItsWay && (
        <div className="next-out-acts">
          {badge === 'pending' && (
            <ActionButton next={next} verb="approve" label="Approve" busyLabel="Approving…" />
          )}
          {canEdit && (
            <ButtonLink
              to={`/app/scheduled?edit=${id}#post-${id}`}
              variant={badge === 'pending' ? 'secondary' : 'primary'}
            >
              <Pencil aria-hidden size={18} />
              Edit
            </ButtonLink>
          )}
          <div className="grid grid-cols-[1fr_auto] gap-2">
            <Link
              to={`?confirm-publish=${id}&revision=${revision}`}
              preventScrollReset
              className="btn btn-secondary"
            >
              Publish now
            </Link>
            <ActionButton next={next} verb="skip" label="Skip" busyLabel="Skipping…" variant="secondary" />
          </div>
        </div>
      )}
    </>
  );
}

type ActionButtonProps = {
  next: Next;
  verb: 'approve' | 'skip';
  label: string;
  busyLabel: string;
  variant?: 'secondary';
};

const ActionButton = ({ next: { id, revision }, verb, label, ...buttonProps }: ActionButtonProps) => (
  <ActionForm
    action={postAddress(id, verb)}
    failure={`Failed to ${verb} post`}
    fields={{ from: '/app/dashboard', revision: `${revision}` }}
    preventScrollReset
    className="grid"
  >
    <SubmitButton {...buttonProps}>{label}</SubmitButton>
  </ActionForm>
);
