import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { readScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { findPendingSubmission, submitProof } from '#app/domain/payments/checkout/submit.ts';
import { ProofForm } from '#app/domain/payments/schema.ts';
import { notify } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from '../+types/page.ts';

/** The form of the subscription dialog. A page on which it opens hands it here, and shows a refused one again. */
export const submitPayment = ({ context }: Pick<Route.ActionArgs, 'context'>) =>
  submit(
    { context },
    ProofForm,
    async ({ screenshot, ...input }) => {
      const picture = screenshot && (await readScreenshot(screenshot));
      const payer = actorOf(context);
      const { upgradeType, status } = await submitProof(db(), payer, { ...input, picture }).catch(
        async (refused) => {
          const known = await findPendingSubmission(db(), payer, input);
          // A picture that the first one came without is not kept, and nobody is told that it is.
          if (!known || (picture && !known.hasScreenshot)) throw refused;
          return known;
        },
      );
      const what = upgradeType ? 'Upgrade payment' : 'Payment proof';
      const submitted = `${what} submitted! Waiting for admin verification.`;
      const begun = 'Your plan has begun. There was nothing to pay.';
      notify(context, 'success', status === 'active' ? begun : submitted);
      return redirect('/app/payments');
    },
    { secret: ['screenshot'] },
  );
