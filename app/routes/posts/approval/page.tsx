import { Check, Pencil } from 'lucide-react';
import { data, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { parseLittleText } from '#app/integrations/linkedin/little-text.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { AuthLayout } from '#app/ui/layout/auth-layout.tsx';
import { usePreservedFocus } from '#app/ui/layout/focus.ts';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { PostPreview } from '#app/ui/post/post-preview.tsx';
import { TextWarnings } from '#app/ui/post/warnings.tsx';
import type { Route } from './+types/page.ts';
import { type ApprovalPageData, approvalUrl, linkedPost, loadByMail } from './load.ts';

export const meta: Route.MetaFunction = () => [
  ...pageMeta('Approve a post', 'Read a post that waits for you, and decide whether Tidepost publishes it.'),
  { name: 'robots', content: 'noindex, nofollow' },
];

/** The URL contains a key, so it isn't sent to other sites. Our own forms need the referrer. */
const PRIVATE = { 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex, nofollow' };

export const headers: Route.HeadersFunction = () => PRIVATE;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const linked = linkedPost(request, params.id);
  const page = await loadByMail(db(), linked, context.get(viewerContext)?.actor);
  const actions = { approve: approvalUrl(linked, 'approve'), skip: approvalUrl(linked, 'skip') };
  return data({ ...page, actions }, { status: page.status, headers: PRIVATE });
}

export const action = ({ request, params }: Route.ActionArgs) =>
  redirect(approvalUrl(linkedPost(request, params.id)));

export default function ApprovalPage({ loaderData }: Route.ComponentProps) {
  usePreservedFocus();
  if (loaderData.why !== null) return <Unavailable {...loaderData} />;
  const { title, lead, stop, isChanged, post } = loaderData;
  return (
    <AuthLayout title={title} lead={lead} isWide>
      <div className="grid gap-4">
        <InlineErrors isHere={(at) => at === 'page'} />
        {isChanged && (
          <Banner>This post was changed after we sent the mail. This is what it says now.</Banner>
        )}
        {stop && <Banner tone="warning">{stop}</Banner>}
        <PostPreview
          {...post}
          text={parseLittleText(post.content, post.hashtags)}
          altText={post.altText || 'The picture of the post'}
          isOpen={loaderData.isWaiting}
        />
        {loaderData.isWaiting && <TextWarnings notes={loaderData.specific} />}
        {loaderData.isWaiting ? <Decision {...loaderData} /> : <Done {...loaderData} />}
      </div>
    </AuthLayout>
  );
}

type PageData = ApprovalPageData & { actions: Record<'approve' | 'skip', string> };

const Decision = ({ post, actions, ifNothing, editAt, until }: PageData) => (
  <>
    <p className="text-pretty">{ifNothing}</p>
    <div className="decision">
      <ActionForm
        action={actions.approve}
        failure="Failed to approve post"
        fields={{ revision: `${post.revision}` }}
      >
        <SubmitButton busyLabel="Approving…">
          <Check aria-hidden size={18} />
          Approve
        </SubmitButton>
      </ActionForm>
      {editAt && (
        <ButtonLink to={editAt} variant="secondary">
          <Pencil aria-hidden size={18} />
          Edit
        </ButtonLink>
      )}
      <ActionForm action={actions.skip} failure="Failed to skip post">
        <SubmitButton variant="ghost" busyLabel="Skipping…">
          Skip
        </SubmitButton>
      </ActionForm>
    </div>
    <p className="text-sm text-ink-3 text-pretty">
      {editAt
        ? 'Skip sets the post aside. To edit it you sign in.'
        : 'Skip sets the post aside. You are signed in to another account here, so it cannot be edited.'}{' '}
      This link is for this post alone and works until {until}. Whoever has the mail can use it, so please do
      not pass it on.
    </p>
  </>
);

const Done = ({ post, home }: PageData) => (
  <div className="flex flex-wrap gap-3">
    {post.url && (
      <ButtonLink to={post.url} variant="secondary">
        View on LinkedIn
      </ButtonLink>
    )}
    <ButtonLink to={home} variant="secondary">
      Open Tidepost
    </ButtonLink>
  </div>
);

const Unavailable = ({ why, home }: { why: string; home: string }) => (
  <AuthLayout title="There is nothing to decide here" lead={`${why}.`}>
    <ButtonLink to={home}>Open Tidepost</ButtonLink>
  </AuthLayout>
);
