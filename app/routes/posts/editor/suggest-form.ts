import type { RouterContextProvider } from 'react-router';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PictureInput } from '#app/domain/posts/schema.ts';
import { suggestAltText } from '#app/domain/writing/alt-text/suggest.ts';
import { notify } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { boundFields, submit } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** Answers a description of the picture in an edit form; without scripts it stands in the form, unsaved. */
export function suggestInForm(actor: Actor, postId: string, args: Args, isQuiet: boolean) {
  const suggest = async (picture: PictureInput) => {
    await limitAccount('look', actor.userId);
    const { request } = args;
    const suggested = await suggestAltText(db(), actor, { ...picture, postId }, { gone: request.signal });
    if (isQuiet) return { suggested };
    notify(args.context, 'success', 'A description is suggested. Read it, and save the post to keep it');
    const typed = [...formDataOf(args.context)].filter(([name]) => name !== 'altText');
    return { initialValue: Object.fromEntries(boundFields([...typed, ['altText', suggested]])) };
  };
  return submit(args, PictureInput, suggest, { isQuiet });
}
