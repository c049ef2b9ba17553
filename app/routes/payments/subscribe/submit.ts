import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { readScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { findPendingSubmission, submitProof } from '#app/domain/payments/checkout/submit.ts';
import { ProofForm } from '#app/domain/payments/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from '../+types/page.ts';

export const submitPayment = ({ context }: Pick<Route.ActionArgs, 'context'>) =>
  submit(
    { context },
    ProofForm,
    async ({ screenshot, ...input }) => {
      const picture = screenshot && (await readScreenshot(screenshot));
      const payer = actorOf(context);
      const { upgradeType, status } = await submitProof(db(), payer, { ...input, picture }).catch(
        async (refused) => {
          const earlier = await findPendingSubmission(db(), payer, input);
          // If this submission is a repeat with a screenshot that the first one lacked, the screenshot isn't stored, so
          // the refusal must show.
          if (!earlier || (picture && !earlier.hasScreenshot)) throw refused;
          return earlier;
        },
      );
      const what = upgradeType ? 'Upgrade payment' : 'Payment proof';
      const submitted = `${what} submitted! Waiting for admin verification.`;
      const started = 'Your plan has begun. There was nothing to pay.';
      setFlash(context, 'success', status === 'active' ? started : submitted);
      return redirect('/app/payments');
    },
    { secret: ['screenshot'] },
  );
