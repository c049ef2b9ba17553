import { ProofInput } from '#app/domain/plans/schema.ts';
import { submitProof } from '#app/domain/plans/submit-proof.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { paymentShape } from './shapes-plans.ts';

const handler = apiRoute({
  POST: endpoint('user', ProofInput, async ({ db, actor, input }) =>
    created({ payment: paymentShape(await submitProof(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
