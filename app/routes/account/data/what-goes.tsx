import type { ReactNode } from 'react';
import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';

/** What is deleted with an account, and what is not. */
export const WhatGoes = ({ isAdmin }: { isAdmin: boolean }) => (
  <div className="grid gap-4 text-pretty text-ink-2">
    <p>
      It will be deleted in {DELETION_DAYS} days. Writing and publishing stop at once, you are signed out
      everywhere else, and your API tokens are revoked. We mail you a link with which you can keep the account
      until then.
    </p>
    <Listed title="What goes">
      <li>Your posts here, with every version and attempt, your topics, facts, voice and settings.</li>
      <li>What you asked our support, your feedback, and your votes for the feedback of others.</li>
      <li>Your connection to LinkedIn: we ask LinkedIn to end our permission, too.</li>
      <li>Your name, your address, your sign-ins and tokens, and the list of mails we sent you.</li>
    </Listed>
    <Listed title="What stays">
      <li>Posts that are on LinkedIn. You can delete them there, or in Post History before.</li>
      <li>
        Of payments the amount, the dates, the transaction ID and a fingerprint of the screenshot, without
        your name and address, because bookkeeping law asks for them.
      </li>
      {isAdmin && <li>What you did as an administrator, under a number in place of your name.</li>}
    </Listed>
  </div>
);

const Listed = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h3 className="font-semibold text-ink">{title}</h3>
    <ul className="mt-1 grid list-disc gap-1 ps-5">{children}</ul>
  </div>
);
