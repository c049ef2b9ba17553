import { ProofInput } from '#app/domain/payments/schema.ts';
import { submitProof } from '#app/domain/payments/submit-proof.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { paymentShape } from './shapes-payments.ts';

const handler = apiRoute({
  POST: endpoint('user', ProofInput, async ({ db, actor, input }) =>
    created({ payment: paymentShape(await submitProof(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
