import { z } from 'zod';
import { signedCookie } from './signed-cookie.ts';

/** The browser in which somebody has just proved who they are at a provider, and where it was on its way to. */
export const arrivalCookie = signedCookie(
  'arrival',
  z.object({ key: z.string(), target: z.string().optional() }),
);

/** The identity that waits until the owner of its address has signed in. */
export const linkCookie = signedCookie('link', z.object({ pendingId: z.uuid() }));

/** What LinkedIn gave, and nobody has answered for yet. */
export const offerCookie = signedCookie('offer', z.object({ offerId: z.uuid() }));
