import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { toolsFor } from './mcp-tools.ts';

const SAYS = { does: 'Speaks the Model Context Protocol with an assistant', answers: z.looseObject({}) };

const handler = apiRoutes({
  '/mcp': {
    // Each call stands for itself: nothing of an assistant is kept between two of them.
    POST: endpoint(
      'user',
      null,
      SAYS,
      async ({ db, actor, session, input, request }) => {
        const server = toolsFor({ db, actor, session });
        const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
        await server.connect(transport);
        try {
          return await transport.handleRequest(request, { parsedBody: input });
        } finally {
          await server.close();
        }
      },
      { isAny: true },
    ),
  },
});

export const loader = handler;
export const action = handler;
