import type { Db } from '#app/db/client.ts';
import { RemoteUncertain, RemoteUnreachable } from '#app/integrations/http/call.ts';
import { blamedParty, LinkedInRefused, LinkedInUnreadable } from '#app/integrations/linkedin/oauth.ts';
import { reportClientFault } from './client-alert.ts';

/** The connection lives, but its token can't be had now: LinkedIn is away, or it is for the operator. */
export class AccessDelayed extends Error {
  override name = 'AccessDelayed';
  /** What LinkedIn asked for. */
  readonly retryAfterSeconds: number | null;

  constructor(cause: Error, retryAfterSeconds: number | null = null) {
    super(cause.message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Why renewing failed and may work later; undefined when the member's permission is over. */
export async function delayOf(db: Db, error: unknown): Promise<AccessDelayed | undefined> {
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
