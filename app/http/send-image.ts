import { CACHE_ONE_MINUTE } from './limits.ts';

/** Nothing runs in what this policy comes with, and it belongs to no origin. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

type Picture = {
  bytes: Buffer;
  contentType: string;
  name: string;
  /** Everybody may see it, on every site. */
  isPublic?: boolean;
};

/** Answers a picture that somebody sent: to be looked at, never to be run. */
export const sendImage = ({ bytes, contentType, name, isPublic }: Picture) =>
  new Response(Uint8Array.from(bytes), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': `inline; filename="${name}.webp"`,
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
      'Cache-Control': isPublic ? CACHE_ONE_MINUTE : 'no-store',
    },
  });
