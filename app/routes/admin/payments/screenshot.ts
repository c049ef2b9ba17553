import { data } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { lacksSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import { getScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { sendImage } from '#app/http/send-image.ts';
import type { Route } from './+types/screenshot.ts';

const notFound = () => data('There is nothing at this address.', { status: 404 });

/** Others than admins do not learn whether there is a screenshot. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = context.get(viewerContext)?.actor;
  if (!actor?.isAdmin || (await lacksSecondStep(db(), actor))) throw notFound();
  try {
    const { bytes, contentType, reference } = await getScreenshot(db(), params.id);
    return sendImage({ bytes, contentType, name: reference });
  } catch (error) {
    throw error instanceof Refusal ? notFound() : error;
  }
}

export const action = loader;
