/** Why a passkey was not used, in words that can be shown. */
export class NoPasskey extends Error {}

const NOT_USED = 'No passkey was used. Please try again.';

/** Whether the page was opened at an address of numbers; passkeys belong to a name. */
export const isAtNumbers = () => /^[\d.]+$|^\[/.test(window.location.hostname);

/** Whether this page can use passkeys. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window && !isAtNumbers();

/** What the server asks a passkey for; it refuses with a sentence. */
async function fetchOptions(from: string, fields: Record<string, string>) {
  const answer = await fetch(from, { method: 'POST', body: new URLSearchParams(fields) }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (!answer?.ok || !said?.options) throw new NoPasskey(said?.message ?? NOT_USED);
  return said.options;
}

const signed = async (answer: Promise<object>) =>
  JSON.stringify(
    await answer.catch((error) => {
      const isThere = error?.name === 'InvalidStateError';
      throw new NoPasskey(isThere ? 'This device has a passkey for your account already.' : NOT_USED);
    }),
  );

/** Has the browser sign with a passkey. Its scripts come when they are needed. */
export async function signWithPasskey(from: string, fields: Record<string, string>): Promise<string> {
  const options = await fetchOptions(from, fields);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return signed(startAuthentication({ optionsJSON: options }));
}

/** Has the browser make a passkey. */
export async function makePasskey(from: string, fields: Record<string, string>): Promise<string> {
  const options = await fetchOptions(from, fields);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return signed(startRegistration({ optionsJSON: options }));
}
