import { z } from 'zod';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { apiHandler, endpoint } from '#app/http/api/endpoint.ts';

/** The protocol takes 15 MB of a process: the first assistant loads it. */
const loadProtocol = () =>
  Promise.all([
    import('./tools.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);

const handler = apiHandler({
  '/mcp': {
    // Each call stands for itself: nothing of an assistant is kept between two of them.
    POST: endpoint({
      summary: 'Speaks the Model Context Protocol with an assistant',
      access: 'user',
      // Tools that change something check for the `write` scope themselves.
      scope: 'read',
      response: z.looseObject({}),
      handle: async ({ db, actor, session, input, request }) => {
        // The protocol has given them up. They would be made beside each other, and count as one against every limit.
        if (Array.isArray(input)) throw new Refusal(400, 'malformed', 'Send one call at a time');
        const [{ toolsFor }, { WebStandardStreamableHTTPServerTransport }] = await loadProtocol();
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
