import { db } from '#app/db/client.ts';
import { askForPasskey } from '#app/domain/accounts/two-step/authenticate-passkey.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { limit } from '#app/http/rate-limit.ts';
import { relyingParty, sendOptions } from '#app/http/session/passkey-cookie.ts';
import { findHalfSignedIn } from '#app/http/session/second-step-cookie.ts';

/** What the script of the button asks the browser's passkeys. Who is not half signed in says with it who they are. */
export async function askPasskey(request: Request, step: unknown): Promise<Response> {
  try {
    await limit(request, 'passkey', '');
    const half = step === 'second' ? await findHalfSignedIn(request) : null;
    if (half === undefined) throw new Refusal(401, 'unauthenticated', 'Please sign in again');
    return await sendOptions(await askForPasskey(db(), half ? half.userId : null, relyingParty(request)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ message: error.message }, { status: error.status });
  }
}
