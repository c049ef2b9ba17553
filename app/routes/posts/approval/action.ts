import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { approveByMail, skipByMail } from '#app/domain/publishing/approval/decide-by-email.ts';
import { type ApprovalLink, openLink } from '#app/domain/publishing/approval/links.ts';
import { ApprovalInput } from '#app/domain/publishing/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { queueChange } from '#app/http/server/per-user-concurrency.ts';
import type { ApprovalVerb } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';
import { approvalUrl, linkedPost } from './load.ts';

type ApprovalAction = (link: ApprovalLink, form: FormData) => Promise<string>;

const ACTIONS: Record<ApprovalVerb, ApprovalAction> = { approve, skip };

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
  verbOf(ACTIONS, params.verb);
  return redirect(approvalUrl(linkedPost(request, params.id)));
}

/** The link is the only credential, and doesn't sign the user in. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const perform = verbOf(ACTIONS, params.verb);
  const linked = linkedPost(request, params.id);
  const page = approvalUrl(linked);
  return press({ context }, page, async () => {
    await limit(request, 'by-mail', linked.postId);
    const link = await openLink(db(), linked.postId, linked.key, new Date());
    const form = formDataOf(context);
    const message = await queueChange(link.actor.userId, request.signal, () => perform(link, form));
    setFlash(context, 'success', message);
    return redirect(page);
  });
}

/** Never shown. A route without a component answers an unknown URL with bare data instead of the error page. */
export default () => null;
