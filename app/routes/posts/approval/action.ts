import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { approveByMail, skipByMail } from '#app/domain/queue/approval/decide-by-email.ts';
import { type ApprovalLink, openLink } from '#app/domain/queue/approval/links.ts';
import { ApprovalInput } from '#app/domain/queue/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { queueChange } from '#app/http/server/per-user-concurrency.ts';
import type { ApprovalVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';
import { addressOf, linkOf } from './load.ts';

/** What a button on the page of a mailed link does; answers what has happened. */
type Act = (link: ApprovalLink, form: FormData) => Promise<string>;

const VERBS: Record<ApprovalVerb, Act> = { approve, skip };

async function approve(link: ApprovalLink, form: FormData): Promise<string> {
  const input = ApprovalInput.safeParse(Object.fromEntries(form));
  if (!input.success) throw new Refusal(422, 'invalid', input.error.issues[0]!.message);
  const { post, isRepeated } = await approveByMail(db(), link, input.data.revision);
  const time = post.publishAt && formatInMail(post.publishAt, link.actor.timeZone);
  const what = isRepeated ? 'This post is approved already.' : 'Post approved.';
  return time ? `${what} It is planned for ${time}.` : what;
}

async function skip(link: ApprovalLink): Promise<string> {
  const { isRepeated } = await skipByMail(db(), link);
  return isRepeated
    ? 'You skipped this post already.'
    : 'You skipped the post. It is in Post History under Set aside.';
}

export function loader({ request, params }: Route.LoaderArgs) {
  verbOf(VERBS, params.verb);
  return redirect(addressOf(linkOf(request, params.id)));
}

/** The link is all that is asked for, and signs nobody in. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const act = verbOf(VERBS, params.verb);
  const asked = linkOf(request, params.id);
  const page = addressOf(asked);
  return press({ context }, page, async () => {
    await limit(request, 'by-mail', asked.postId);
    const link = await openLink(db(), asked.postId, asked.key, new Date());
    const form = formDataOf(context);
    const said = await queueChange(link.actor.userId, request.signal, () => act(link, form));
    setFlash(context, 'success', said);
    return redirect(page);
  });
}

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
