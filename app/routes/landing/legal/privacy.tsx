import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import { ACCOUNT_MAIL_RETENTION_DAYS, MAIL_RETENTION_DAYS } from '#app/domain/email/limits.ts';
import { TICKET_RETENTION_DAYS } from '#app/domain/support/limits.ts';
import { CLICK_DAYS, VISIT_ADDRESS_DAYS, VISIT_DAYS } from '#app/domain/visits/limits.ts';
import { TRUSTED_BROWSER_DAYS } from '#app/http/limits.ts';
import { canonicalLink, pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/privacy.ts';
import { LegalPage, MailTo } from './layout.tsx';
import { loadLegal } from './load.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...pageMeta(
    'Privacy',
    'What Tidepost keeps about you, what for, for how long, who else sees it, and how to take it along.',
  ),
  ...canonicalLink(loaderData?.address),
];

export const handle = { isStatic: true };

export const loader = ({ context }: Route.LoaderArgs) => loadLegal(context, '/privacy');

const KEPT_DATA = [
  'Your name, e-mail address and time zone, and your password as a hash that nobody can read back.',
  'The browsers in which you are signed in: device, network (the first part of its address), first and last use. They end after 30 days without use, and after 90 days in any case.',
  'What you tell us for your posts: topics, facts, your voice, examples, pictures by their address; and the posts with their versions and what became of them.',
  'Of LinkedIn, once you have connected it: your name, picture, e-mail address and member number there, and the permission to publish, encrypted. Never your password.',
  'Of a payment: plan, amount, transaction ID, and the screenshot if you send one. Not your card or bank account, which we never see.',
  'What you ask our support, with our answers and our notes on it; and the feedback, the ratings and the votes that you give.',
  `Of mails to you: to which address, of which kind and when. Their texts are deleted once they are out. Which of their links you opened, when, and with which kind of device and browser, for ${CLICK_DAYS} days.`,
];

export default function Privacy({ loaderData }: Route.ComponentProps) {
  const { name, email } = loaderData.seller;
  const lead = `What ${name} keeps about you, what for, and what you can do about it.`;
  return (
    <LegalPage data={loaderData} title="Privacy" lead={lead}>
      <h2>What is kept</h2>
      <ul>
        {KEPT_DATA.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>
        All of it is there to run the service that you asked for. There is no advertising, and nothing is
        sold.
      </p>
      <Visits />
      <Others />
      <h2>Cookies</h2>
      <p>
        Only those that the pages need: that you are signed in, which theme you chose, what you have begun,
        such as a sign-up, and what we have to tell you next. One stays for {TRUSTED_BROWSER_DAYS} days: that
        you have signed in from this browser before, so that we can warn you of another. None follows you
        elsewhere, so there is no banner to click away.
      </p>
      <Rights email={email} />
    </LegalPage>
  );
}

const Visits = () => (
  <>
    <h2>What is counted of visits</h2>
    <p>
      Which page was looked at and when; the address and the country or city that it is of; which kind of
      device, browser and system it was, its language and the size of its screen. Your browser keeps two marks
      for it: a number for this tab until you close it, and that you have been here before. Nothing of it says
      whose account it was, and it goes to nobody else.
    </p>
    <p>
      An address is cut to its first part alone after {VISIT_ADDRESS_DAYS} days at the latest, also where we
      count how often it came; the visit goes after {VISIT_DAYS} days, and what stays are sums. If your
      browser sends Do Not Track or Global Privacy Control, none of it is counted or kept, nor which links in
      mails you open.
    </p>
  </>
);

const Others = () => (
  <>
    <h2>Who else sees it</h2>
    <ul>
      <li>LinkedIn gets what you publish, at its time and in your name.</li>
      <li>
        The language model’s operator gets what a post is written from: the topic, facts, your voice, examples
        of yours, and what your last posts said; a post that is read once more or written again; and a picture
        with its post when you ask what it shows. Not your e-mail address and not your payments.
      </li>
      <li>
        Everybody sees, if you switch that on in your account, of your newest post its topic, its beginning,
        some of its hashtags and its picture, with a link to it. Such a picture is a copy that we made, and
        whoever looks at our start page asks nobody else for it.
      </li>
      <li>Our mail service and our servers’ operator carry and store it for us.</li>
      <li>Google or LinkedIn, when you sign in with them, learn that you did.</li>
      <li>
        Everybody who is signed in reads the feedback that you give, without your name and rating; our
        administrators read it with both.
      </li>
      <li>
        Our administrators see your account, payments, screenshots and requests, and which of our mails’ links
        you opened, as far as they help you.
      </li>
    </ul>
  </>
);

const Rights = ({ email }: { email: string }) => (
  <>
    <h2>For how long, and your rights</h2>
    <ul>
      <li>
        As long as you have an account; what you ask our support without one is deleted{' '}
        {TICKET_RETENTION_DAYS} days after the last word in it, or when you ask us to. A sign-up that is not
        completed is deleted in the first night after its day is over. That we mailed somebody without an
        account is forgotten after {MAIL_RETENTION_DAYS} days, and that we mailed you after{' '}
        {ACCOUNT_MAIL_RETENTION_DAYS}.
      </li>
      <li>
        On your account page, under Your data, you can download everything as one file, and delete everything:
        it waits {DELETION_DAYS} days in which you can change your mind, then the permission at LinkedIn is
        revoked and all of it is erased.
      </li>
      <li>
        Payments stay as long as bookkeeping law requires, without your name, and so does the record of what
        administrators did.
      </li>
      <li>
        You can have what is wrong corrected, object, and complain to the authority of your country. Write to{' '}
        <MailTo address={email} />.
      </li>
    </ul>
  </>
);
