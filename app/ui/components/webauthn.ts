/** Why no passkey was used. The message can be shown to the user. */
export class NoPasskey extends Error {}

const NOT_USED = 'No passkey was used. Please try again.';

/** Passkeys need a host name, not an IP address. */
export const isIpHost = () => /^[\d.]+$|^\[/.test(window.location.hostname);

export const canUsePasskeys = () => 'PublicKeyCredential' in window && !isIpHost();

async function fetchOptions(url: string, fields: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (!response?.ok || !body?.options) throw new NoPasskey(body?.message ?? NOT_USED);
  return body.options;
}

const serialize = async (credential: Promise<object>) =>
  JSON.stringify(
    await credential.catch((error) => {
      const isRegistered = error?.name === 'InvalidStateError';
      throw new NoPasskey(isRegistered ? 'This device has a passkey for your account already.' : NOT_USED);
    }),
  );

/** Fetches a challenge from `url` and signs it with a passkey. Returns the response as JSON. */
export async function signWithPasskey(url: string, fields: Record<string, string>): Promise<string> {
  const options = await fetchOptions(url, fields);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return serialize(startAuthentication({ optionsJSON: options }));
}

/** Fetches a challenge from `url` and creates a passkey. Returns the response as JSON. */
export async function createPasskey(url: string, fields: Record<string, string>): Promise<string> {
  const options = await fetchOptions(url, fields);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return serialize(startRegistration({ optionsJSON: options }));
}
