import { POSTS_PER_DAY_MAX, REQUEST_GOOD_HOURS, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { canonicalLink, pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/terms.ts';
import { LegalPage, MailTo } from './layout.tsx';
import { loadLegal } from './load.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...pageMeta(
    'Terms',
    'What you can expect of Tidepost, what a plan includes, how you pay, and what we ask of you.',
  ),
  ...canonicalLink(loaderData?.address),
];

export const handle = { isStatic: true };

export const loader = ({ context }: Route.LoaderArgs) => loadLegal(context, '/terms');

export default function Terms({ loaderData }: Route.ComponentProps) {
  const { name, email } = loaderData.seller;
  const lead = `What you agree with ${name} when you have an account.`;
  return (
    <LegalPage data={loaderData} title="Terms" lead={lead}>
      <Service />
      <Yours />
      <Money />
      <h2>Ending it</h2>
      <p>
        You can delete your account at any time on its page, under Your data. We can end an account that is
        used against these terms; we say why by mail, and time that was paid for and not used is paid back.
      </p>
      <h2>What we answer for</h2>
      <p>
        We take care that a post goes out once and at its time, and say so when it did not. We can’t promise
        that LinkedIn takes it, shows it to anybody, or that a text brings you customers. We answer without
        limit for what we do on purpose or through gross negligence, and where the law says so; otherwise up
        to what you paid in the twelve months before. Rights that the law of your country gives you as a
        consumer stay as they are.
      </p>
      <h2>Changes</h2>
      <p>
        We mail you a change of these terms 30 days before it counts. Who does not agree can leave before, and
        is paid back what is not used.
      </p>
      <h2>Questions</h2>
      <p>
        Write to <MailTo address={email} />.
      </p>
    </LegalPage>
  );
}

const Service = () => (
  <>
    <h2>What Tidepost does</h2>
    <p>
      It writes posts with a language model on the topics you name, and publishes them on your LinkedIn
      profile at the times you choose. You can read, change or delete each one before it goes out, ask to
      approve them first, and pause everything. {FREE_POSTS_A_MONTH} posts a month are free; a plan gives you
      1 to {POSTS_PER_DAY_MAX} a day.
    </p>
  </>
);

const Yours = () => (
  <>
    <h2>What is yours, and what you answer for</h2>
    <ul>
      <li>What you tell us and what is written for you is yours. We use it to run the service for you.</li>
      <li>
        Posts go out in your name, so what they say is your responsibility. A language model can be wrong:
        read what it claims about you, your customers and your trade.
      </li>
      <li>
        Name topics, facts and pictures that you may use. Nothing unlawful, nobody’s confidences, no deceiving
        of readers, and nothing against the rules of LinkedIn.
      </li>
      <li>An account is for one person. Keep your password to yourself.</li>
    </ul>
  </>
);

const Money = () => (
  <>
    <h2>Plans and payment</h2>
    <ul>
      <li>
        A plan runs for a calendar month and does not renew by itself. You pay by UPI or PayPal and send us
        the transaction ID; we verify it within {VERIFIED_WITHIN_HOURS} hours, and then the plan begins.
      </li>
      <li>What a payment request says is what is taken, for {REQUEST_GOOD_HOURS} hours.</li>
      <li>
        Who chooses more posts a day at once pays the new price less the unused share of the present plan.
        Paid time that was not credited goes on afterwards.
      </li>
      <li>A plan that is cancelled runs to its end. When it ends, posts wait and are not lost.</li>
      <li>A payment that we can’t find is turned down with the reason, and can be sent again.</li>
    </ul>
  </>
);
