import { data, type RouterContextProvider, redirect } from 'react-router';
import type { z } from 'zod';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatTime } from '#app/domain/platform/dates.ts';
import { saveEngagement } from '#app/domain/posts/engagement.ts';
import { Acknowledgement, EngagementForm, PictureInput, PostForm } from '#app/domain/posts/schema.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { acknowledgePost } from '#app/domain/publishing/manual/publish-now.ts';
import { suggestAltText } from '#app/domain/writing/alt-text/suggest.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listParamsOf } from '#app/http/forms/list-params.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { boundFields, submit } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { AUTOSAVE, OPEN_FORMS, type OpenForm, SUGGEST } from '#app/routes/posts/params.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** Suggests a description of the picture. Without scripts it is put into the form, unsaved. */
function suggestInForm(actor: Actor, postId: string, args: Args, isQuiet: boolean) {
  const suggest = async (picture: PictureInput) => {
    await limitAccount('look', actor.userId);
    const { request } = args;
    const suggested = await suggestAltText(
      db(),
      actor,
      { ...picture, postId },
      { disconnected: request.signal },
    );
    if (isQuiet) return { suggested };
    setFlash(args.context, 'success', 'A description is suggested. Read it, and save the post to keep it');
    const typed = [...formDataOf(args.context)].filter(([name]) => name !== 'altText');
    return { initialValue: Object.fromEntries(boundFields([...typed, ['altText', suggested]])) };
  };
  return submit(args, PictureInput, suggest, { isQuiet });
}

type Save = (
  actor: Actor,
  postId: string,
  respond: (message: string) => Response,
  args: Args,
) => Promise<unknown>;

/** A refused form is shown again in its place, with its errors. */
const FORMS: Record<OpenForm, Save> = {
  edit: saveEdit,
  acknowledge: saveAcknowledgement,
  numbers: saveNumbers,
};

export function saveForm({ request, context }: Args, page: string) {
  const query = new URL(request.url).searchParams;
  const name = OPEN_FORMS.find((each) => query.has(each));
  if (!name) throw data('There is no such form on this page.', { status: 404 });
  const respond = (message: string) => {
    setFlash(context, 'success', message);
    const search = listParamsOf(query);
    return redirect(search ? `${page}?${search}` : page);
  };
  return FORMS[name](actorOf(context), query.get(name)!, respond, { request, context });
}

/** An automatic save stays in the form and returns the revision for the next save. */
function saveEdit(actor: Actor, postId: string, respond: (message: string) => Response, args: Args) {
  const query = new URL(args.request.url).searchParams;
  const isQuiet = query.has(AUTOSAVE);
  if (query.has(SUGGEST)) return suggestInForm(actor, postId, args, isQuiet);
  const save = async (input: z.output<typeof PostForm>) => {
    const { revision } = await editPost(db(), actor, { ...input, postId });
    const at = formatTime(new Date(), actor.timeZone);
    return isQuiet ? { saved: { revision, at } } : respond('Post updated successfully!');
  };
  return submit(args, PostForm, save, { isQuiet });
}

function saveAcknowledgement(
  actor: Actor,
  postId: string,
  respond: (message: string) => Response,
  args: Args,
) {
  return submit(args, Acknowledgement, async ({ link }) => {
    await acknowledgePost(db(), actor, { postId, link });
    return respond('The post counts as published');
  });
}

function saveNumbers(actor: Actor, postId: string, respond: (message: string) => Response, args: Args) {
  return submit(args, EngagementForm, async (numbers) => {
    await saveEngagement(db(), actor, { ...numbers, postId });
    return respond('Your numbers are saved');
  });
}
