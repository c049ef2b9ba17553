import { db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { getPicture } from '#app/domain/posts/landing/images.ts';
import { sendImage } from '#app/http/send-image.ts';
import type { Route } from './+types/post-image.ts';

/** Our copy of the picture of a post on the start page, while it is shown there. */
export async function loader({ params }: Route.LoaderArgs) {
  try {
    return sendImage({ ...(await getPicture(db(), params.id)), name: params.id, isPublic: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new Response('There is nothing at this address.', { status: 404 });
  }
}
