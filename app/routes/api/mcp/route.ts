import { z } from 'zod';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { apiHandler, endpoint } from '#app/http/api/endpoint.ts';

/** Loaded on the first call, because the SDK takes 15 MB of memory. */
const loadSdk = () =>
  Promise.all([
    import('./tools.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);

const handler = apiHandler({
  '/mcp': {
    // Stateless: there are no MCP sessions.
    POST: endpoint({
      summary: 'Speaks the Model Context Protocol with an assistant',
      access: 'user',
      // Tools that change something check for the `write` scope themselves.
      scope: 'read',
      response: z.looseObject({}),
      handle: async ({ db, actor, session, input, request }) => {
        // MCP has removed batches. Their calls would run concurrently, and count as one against every rate limit.
        if (Array.isArray(input)) throw new Refusal(400, 'malformed', 'Send one call at a time');
        const [{ toolsFor }, { WebStandardStreamableHTTPServerTransport }] = await loadSdk();
        const server = toolsFor({ db, actor, session });
        const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
        await server.connect(transport);
        try {
          return await transport.handleRequest(request, { parsedBody: input });
        } finally {
          await server.close();
        }
      },
    }),
  },
});

export const loader = handler;
export const action = handler;
