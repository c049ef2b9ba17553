/** Answers as soon as the web process serves. */
export const loader = () => Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
