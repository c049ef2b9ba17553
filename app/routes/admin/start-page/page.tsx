import { PanelsTopLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { listTakenOff, putBackOnStartPage, takeOffStartPage } from '#app/domain/posts/landing/exclusions.ts';
import { pictureOf } from '#app/domain/posts/landing/images.ts';
import { listTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { BarInput } from '#app/domain/posts/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AdminTabs, START_PAGE } from '#app/routes/admin/tabs.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import styles from './page.css?url';

const ExclusionDialog = onDemand(async () => (await import('./start-page-dialog.tsx')).ExclusionDialog);

const isTakeOff = ({ searchParams }: URL) => searchParams.has('take-off') && !searchParams.has('put-back');

/** Taking a post off must be quick. Putting one back shows it to visitors, so it needs a recent confirmation. */
const confirmPutBack: Route.MiddlewareFunction = (args, next) =>
  isTakeOff(args.url) ? next() : requireRecentAuth(args, next);

export const middleware: Route.MiddlewareFunction[] = [confirmPutBack];

export const meta: Route.MetaFunction = () =>
  pageMeta('Start page', 'Posts that the start page shows, and those that were taken off it.');

export const shouldRevalidate = ignoreDialogParams('take-off', 'put-back');

export async function loader({ context }: Route.LoaderArgs) {
  await ExclusionDialog.load();
  return loadStartPage(actorOf(context));
}

export function action({ request, context }: Route.ActionArgs) {
  const url = new URL(request.url);
  const isOff = isTakeOff(url);
  return submit({ context }, BarInput, async ({ reason }) => {
    const postId = url.searchParams.get(isOff ? 'take-off' : 'put-back') ?? '';
    await (isOff ? takeOffStartPage : putBackOnStartPage)(db(), actorOf(context), { postId, reason });
    setFlash(context, 'success', isOff ? 'The post is off the start page' : 'The post may be shown again');
    return redirect(START_PAGE);
  });
}

export default function StartPage({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, takenOff } = loaderData;
  const [query] = useSearchParams();
  const takingOff = shown.find(({ id }) => id === query.get('take-off'));
  const puttingBack = takenOff.find(({ id }) => id === query.get('put-back'));
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      <PageHeader
        title="Start page"
        description="The posts that everybody sees there, because their authors let us."
      />
      <AdminTabs current={START_PAGE} />
      <div className="flex flex-col gap-6">
        {shown.length > 0 ? (
          <CurrentPosts posts={shown} />
        ) : (
          <EmptyState
            icon={PanelsTopLeft}
            title="No post is shown"
            text="The newest post of each author who switched that on in their account stands here, and on the start page once there are three."
          />
        )}
        {takenOff.length > 0 && <TakenOff posts={takenOff} />}
      </div>
      {takingOff && <ExclusionDialog post={takingOff} verb="take-off" result={actionData} />}
      {puttingBack && <ExclusionDialog post={puttingBack} verb="put-back" result={actionData} />}
    </>
  );
}

type Data = Route.ComponentProps['loaderData'];

const CurrentPosts = ({ posts }: { posts: Data['shown'] }) => (
  <Card
    title="Shown now"
    description="A post that you take off is gone at once, from the page and from GET /public/top-posts."
  >
    <ul className="lines start-page-list">
      {posts.map(({ picture, ...post }) => (
        <li key={post.id}>
          {picture && <img src={picture} alt={post.altText ?? ''} width={96} height={50} loading="lazy" />}
          <Post post={post} />
          <ButtonLink to={`?take-off=${post.id}`} preventScrollReset variant="secondary" size="sm">
            Take off<span className="sr-only"> the post about {post.topicName}</span>
          </ButtonLink>
        </li>
      ))}
    </ul>
  </Card>
);

const TakenOff = ({ posts }: { posts: Data['takenOff'] }) => (
  <Card title="Taken off">
    <ul className="lines start-page-list">
      {posts.map(({ exclusion, reason, ...post }) => (
        <li key={post.id}>
          <Post post={post}>
            <p className="text-sm text-ink-3">{exclusion}</p>
            <p className="text-sm" dir="auto">
              {reason}
            </p>
          </Post>
          <ButtonLink to={`?put-back=${post.id}`} preventScrollReset variant="secondary" size="sm">
            Put back<span className="sr-only"> the post about {post.topicName}</span>
          </ButtonLink>
        </li>
      ))}
    </ul>
  </Card>
);

type PostProps = {
  post: { topicName: string; content: string; url: string | null };
  children?: ReactNode;
};

const Post = ({ post: { topicName, content, url }, children }: PostProps) => (
  <div className="start-page-post">
    <h3 className="font-semibold" dir="auto">
      {topicName}
    </h3>
    <p className="text-sm text-ink-2" dir="auto">
      {content}
    </p>
    {children}
    {url && (
      <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc" className="link text-sm">
        On LinkedIn<span className="sr-only"> (opens a new tab)</span>
      </a>
    )}
  </div>
);

async function loadStartPage({ timeZone }: Actor) {
  const [shown, takenOff] = await Promise.all([listTopPosts(db()), listTakenOff(db())]);
  return {
    shown: shown.map(({ id, topicName, content, url, altText, hasPicture }) => {
      return { id, topicName, content, url, altText, picture: pictureOf({ id, hasPicture }) };
    }),
    takenOff: takenOff.map(({ id, topicName, content, url, reason, excludedAt, by }) => {
      const exclusion = `Taken off on ${formatInstant(excludedAt, timeZone)} by ${by ?? 'a deleted account'}`;
      return { id, topicName: topicName ?? 'No topic', content, url, reason, exclusion };
    }),
  };
}
