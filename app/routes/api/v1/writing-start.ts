import { GenerateInput } from '#app/domain/writing/schema.ts';
import { generateNow } from '#app/domain/writing/start-run.ts';
import { accepted, apiRoute, endpoint } from '#app/http/api.ts';
import { runShape } from './shapes.ts';

const handler = apiRoute({
  POST: endpoint('user', GenerateInput, async ({ db, actor, input }) =>
    accepted({ run: runShape(await generateNow(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
