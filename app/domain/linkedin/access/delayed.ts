import type { Db } from '#app/db/client.ts';
import { RemoteUncertain, RemoteUnreachable } from '#app/integrations/http/call.ts';
import { blamedParty, LinkedInRefused, LinkedInUnreadable } from '#app/integrations/linkedin/oauth.ts';
import { reportClientFault } from './client-alert.ts';

/** The connection is valid, but has no usable token now: LinkedIn is unavailable, or an operator has to fix something. */
export class AccessDelayed extends Error {
  override name = 'AccessDelayed';
  readonly retryAfterSeconds: number | null;

  constructor(cause: Error, retryAfterSeconds: number | null = null) {
    super(cause.message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Why a renewal failed temporarily; undefined when the member's permission has ended. */
export async function toAccessDelay(db: Db, error: unknown): Promise<AccessDelayed | undefined> {
  if (error instanceof LinkedInRefused) {
    const blame = blamedParty(error);
    if (blame === 'member') return undefined;
    if (blame === 'client') await reportClientFault(db, error);
    return new AccessDelayed(error, error.retryAfterSeconds);
  }
  if (error instanceof LinkedInUnreadable) return new AccessDelayed(error, error.retryAfterSeconds);
  if (error instanceof RemoteUncertain || error instanceof RemoteUnreachable) return new AccessDelayed(error);
  throw error;
}
