/** Nothing runs in what this policy comes with, and it belongs to no origin. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Answers a picture that somebody sent: to be looked at, never to be run. */
export const sendPicture = ({
  bytes,
  contentType,
  name,
}: {
  bytes: Buffer;
  contentType: string;
  name: string;
}) =>
  new Response(Uint8Array.from(bytes), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': `inline; filename="${name}.webp"`,
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
  });
