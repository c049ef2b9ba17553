import { z } from 'zod';
import { linkedInStatusShape } from '#app/domain/linkedin/api-shape.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { connectUrl } from '#app/domain/linkedin/connect/tickets.ts';
import { getConnection } from '#app/domain/linkedin/connection.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { instant, Message } from '#app/http/api/schemas.ts';

/** Webhooks send it too, so its mapper is in the domain. */
export const LinkedInStatus = z
  .object({
    connected: z.boolean(),
    account: z
      .object({
        profileData: z.object({
          name: z.string(),
          email: z.string().nullable(),
          profilePicture: z.string().nullable(),
        }),
        expiresAt: instant,
      })
      .nullable(),
  })
  .meta({ id: 'LinkedInStatus' });

export const linkedInCalls: Calls = {
  '/linkedin/connect': {
    GET: endpoint({
      summary: 'Returns the address at which a user connects LinkedIn',
      access: 'user',
      scope: 'write',
      response: z.object({ authUrl: z.url() }),
      handle: async ({ actor }) => ({ authUrl: connectUrl(actor.userId) }),
    }),
  },
  '/linkedin/status': {
    GET: endpoint({
      summary: 'Returns whether LinkedIn is connected',
      access: 'user',
      response: LinkedInStatus,
      handle: async ({ db, actor }) => linkedInStatusShape(await getConnection(db, actor)),
    }),
  },
  '/linkedin/disconnect': {
    DELETE: endpoint({
      summary: 'Disconnects LinkedIn',
      access: 'user',
      response: Message,
      handle: async ({ db, actor }) => {
        await disconnect(db, actor);
        return { message: 'LinkedIn account disconnected' };
      },
    }),
  },
};
