import { History } from 'lucide-react';
import { Link, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { VERSIONS_MAX } from '#app/domain/posts/limits.ts';
import { requestRewrite } from '#app/domain/writing/rewrite/rewrite.ts';
import { RewriteInput } from '#app/domain/writing/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { versionsAddress } from '#app/routes/actions.ts';
import { AutoRefresh } from '#app/ui/auto-refresh.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { PageHeader } from '#app/ui/layout/page.tsx';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { TextWarnings } from '#app/ui/post/warnings.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Route } from './+types/page.ts';
import type { Piece } from './diff.ts';
import { loadRewriting, type RewritingData } from './load.ts';
import rewritingStyles from './page.css?url';
import { RewriteCard } from './rewrite-card.tsx';

export const meta: Route.MetaFunction = () =>
  pageMeta('Write again', 'Earlier versions of a post, and another try at its words.');

/** Redirects to the queue if the post is deleted or another user's. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  try {
    return await loadRewriting(actorOf(context), params.id, new URL(request.url).searchParams);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setFlash(context, 'error', error.message);
    throw redirect('/app/scheduled');
  }
}

export async function action({ context, params }: Route.ActionArgs) {
  return submit({ context }, RewriteInput, async (input) => {
    const actor = actorOf(context);
    await limitAccount('write', actor.userId);
    await requestRewrite(db(), actor, { ...input, postId: params.id });
    setFlash(
      context,
      'success',
      'The post is being written again. Its text stays until the new one is there.',
    );
    return redirect(versionsAddress(params.id));
  });
}

const DESCRIPTION = `Have this post written anew, or changed as you say. Up to ${VERSIONS_MAX} other texts of it are kept here, your own words the longest.`;

export default function RewritingPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, text, why, list, topic, specific, rewriting } = loaderData;
  return (
    <>
      <link rel="stylesheet" href={rewritingStyles} precedence="rewriting" />
      {rewriting?.isOpen && <AutoRefresh />}
      <PageHeader
        title="Write again"
        description={DESCRIPTION}
        actions={<PostLinks id={id} list={list} canEdit={why === null} />}
      />
      <InlineErrors isHere={(at) => at === 'page'} className="mb-6" />
      <div className="versions">
        <Card title="As it stands" description={topic ? `About ${topic}` : undefined}>
          <p className="version-text">{text}</p>
          {specific && (
            <div className="mt-4 border-t border-line pt-3">
              <TextWarnings notes={specific} />
            </div>
          )}
        </Card>
        <RewriteCard key={rewriting?.id} {...loaderData} result={actionData} />
      </div>
      <Versions {...loaderData} />
    </>
  );
}

const PostLinks = ({ id, list, canEdit }: { id: string; list: string; canEdit: boolean }) => (
  <>
    {canEdit && (
      <ButtonLink to={`${list}?edit=${id}#post-${id}`} variant="secondary">
        Edit it yourself
      </ButtonLink>
    )}
    <ButtonLink to={`${list}?open=${id}#post-${id}`} variant="secondary">
      Back to the post
    </ButtonLink>
  </>
);

const MARKS =
  'Marked words stand in one of the two only. Whatever you put in the place of the text, the text before it stays here.';

function Versions({ id, why, versions }: RewritingData) {
  if (versions.length === 0) return null;
  return (
    <section className="mt-8" aria-labelledby="other-versions">
      <h2 id="other-versions" className="font-display text-xl font-semibold">
        Other versions
      </h2>
      <p className="mt-1 max-w-prose text-ink-2">{MARKS}</p>
      <ul className="mt-4 grid gap-4">
        {versions.map((version) => (
          <VersionCard key={version.id} postId={id} version={version} isFixed={why !== null} />
        ))}
      </ul>
    </section>
  );
}

type VersionCardProps = {
  postId: string;
  version: RewritingData['versions'][number];
  isFixed: boolean;
};

function VersionCard({ postId, version, isFixed }: VersionCardProps) {
  const { id, pair } = version;
  const at = `version-${id}`;
  const anchor = useHydrated() ? '' : `#${at}`;
  return (
    <li className="card" id={at} tabIndex={-1}>
      {pair ? (
        <details open>
          <summary className="version-head">
            <Head version={version} />
          </summary>
          <div className="version-pair">
            <Side title="This version" pieces={pair.one} />
            <Side title="As it stands" pieces={pair.other} />
          </div>
          {!isFixed && <Restore postId={postId} version={version} />}
        </details>
      ) : (
        <Link to={`?version=${id}${anchor}`} preventScrollReset className="version-head">
          <Head version={version} />
        </Link>
      )}
    </li>
  );
}

type VersionProps = Pick<VersionCardProps, 'version'>;

const Head = ({ version: { opening, kept } }: VersionProps) => (
  <>
    <span className="version-opening" dir="auto">
      {opening}
    </span>
    <span className="text-sm text-ink-3">{kept}</span>
  </>
);

const Restore = ({ postId, version: { id, opening } }: VersionProps & { postId: string }) => (
  <ActionForm action={`${versionsAddress(postId)}/${id}`} failure="Failed to update post" className="mt-4">
    <SubmitButton size="sm" variant="secondary" busyLabel="Restoring…">
      <History aria-hidden size={16} />
      Use this version
      <span className="sr-only"> “{opening.slice(0, 40)}”</span>
    </SubmitButton>
  </ActionForm>
);

const Side = ({ title, pieces }: { title: string; pieces: Piece[] }) => (
  <div className="min-w-0">
    <h3 className="mb-2 text-sm font-semibold text-ink-2">{title}</h3>
    <p className="version-text">
      {pieces.map(({ text, isOnlyHere }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change their order.
        isOnlyHere ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </p>
  </div>
);
