import { Agent, request } from 'undici';
import {
  AddressRefused,
  type AddressRules,
  addressRules,
  checkAddress,
  guardedConnector,
  untilAborted,
} from './address-guard.ts';

const IMAGE_BYTES_MAX = 8 * 1024 * 1024;
const REDIRECTS_MAX = 3;

/** The message is for the user. Reveals nothing about what is inside a private network. */
export class ImageRefused extends Error {
  override name = 'ImageRefused';
}

export type FetchedImage = { bytes: Buffer; contentType: 'image/jpeg' | 'image/png' | 'image/gif' };

export type ImageRules = AddressRules & {
  /** Cancels the request; its reason is thrown. */
  signal?: AbortSignal;
};

const NOT_LOADED = 'The picture could not be loaded from its address';
const MESSAGES: Record<AddressRefused['reason'], string> = {
  no_address: 'This is not the address of a picture',
  not_secure: 'The address of the picture must start with https:// and name no port',
  has_password: 'The address of the picture must not hold a name or password',
  not_public: NOT_LOADED,
};

/**
 * Fetches an image from a user's URL: JPEG, PNG or GIF by its first bytes, at most 8 MiB, 10 s and 3 redirects. The address
 * is checked as written, as resolved and as connected, also for each redirect. Throws ImageRefused, or the reason of
 * `signal`.
 */
export async function fetchImage(url: string, own: Partial<ImageRules> = {}): Promise<FetchedImage> {
  const rules: ImageRules = { ...addressRules(), ...own };
  rules.signal?.throwIfAborted();
  const dispatcher = new Agent({ allowH2: false, connect: guardedConnector(rules) });
  const timeout = AbortSignal.timeout(rules.timeoutMs);
  const signal = rules.signal ? AbortSignal.any([timeout, rules.signal]) : timeout;
  try {
    const bytes = await untilAborted(follow(url, rules, { dispatcher, signal }), signal);
    return { bytes, contentType: typeOf(bytes) };
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    if (error instanceof AddressRefused) throw new ImageRefused(MESSAGES[error.reason]);
    if (rules.signal?.aborted) throw rules.signal.reason;
    if (signal.aborted) throw new ImageRefused('The picture took too long to load');
    throw new ImageRefused(NOT_LOADED, { cause: error });
  } finally {
    // Not awaited: it also waits for connections that are still being opened.
    dispatcher.destroy().catch(() => {});
  }
}

async function follow(
  start: string,
  rules: ImageRules,
  options: { dispatcher: Agent; signal: AbortSignal },
): Promise<Buffer> {
  let url = checkAddress(start, undefined, rules);
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const { statusCode, headers, body } = await request(url, { ...options, headers: { Accept: 'image/*' } });
    const { location } = headers;
    if (statusCode === 200) return readBytes(body, headers['content-length']);
    body.on('error', () => {}).destroy();
    const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string';
    if (!isRedirect) throw new ImageRefused(`${NOT_LOADED}: it answers ${statusCode}`);
    url = checkAddress(location, url, rules);
  }
  throw new ImageRefused('The address of the picture is redirected too often');
}

async function readBytes(
  body: AsyncIterable<Buffer>,
  contentLength: string | string[] | undefined,
): Promise<Buffer> {
  const tooLarge = () => new ImageRefused('The picture is larger than 8 MB');
  if (Number(contentLength) > IMAGE_BYTES_MAX) throw tooLarge();
  // Collecting chunks would need twice the memory; unwritten pages of this buffer need none.
  const bytes = Buffer.allocUnsafeSlow(IMAGE_BYTES_MAX);
  let size = 0;
  for await (const chunk of body) {
    if (size + chunk.length > IMAGE_BYTES_MAX) throw tooLarge();
    size += chunk.copy(bytes, size);
  }
  return bytes.subarray(0, size);
}

function typeOf(bytes: Buffer): FetchedImage['contentType'] {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png';
  if (/^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1'))) return 'image/gif';
  throw new ImageRefused('What stands at this address is not a JPEG, PNG or GIF picture');
}
