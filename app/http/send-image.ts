import { CACHE_ONE_MINUTE } from './limits.ts';

/** Lets nothing run in the file, and gives it an opaque origin. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

type Picture = {
  bytes: Buffer;
  contentType: string;
  name: string;
  /** Other sites may embed it. */
  isPublic?: boolean;
};

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
