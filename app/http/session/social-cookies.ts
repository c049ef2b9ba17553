import { z } from 'zod';
import { signedCookie } from './signed-cookie.ts';

/** Set after a callback: the key that this browser exchanges for a session, and where to go then. */
export const arrivalCookie = signedCookie(
  'arrival',
  z.object({ key: z.string(), target: z.string().optional() }),
);

/** An identity that is linked once the owner of its email has signed in. */
export const linkCookie = signedCookie('link', z.object({ pendingId: z.uuid() }));

/** A LinkedIn connection that the user has not accepted or declined yet. */
export const offerCookie = signedCookie('offer', z.object({ offerId: z.uuid() }));
