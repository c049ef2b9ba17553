import { type MailText, TO_ADMINS } from '#app/domain/email/content.ts';
import { RESPONSE_HOURS } from '#app/domain/support/limits.ts';

type ReceivedRequest = { number: number; category: string; subject: string; from: string; url: string };

export type SupportMails = {
  supportAsked: ReceivedRequest;
  supportWrittenAgain: ReceivedRequest;
  supportFlood: { url: string };
  /** `until`: when the link expires that opens without signing in. */
  supportAnswered: {
    name: string;
    number: number;
    subject: string;
    answer: string;
    url: string;
    until: string | null;
  };
};

/** For mails to addresses without an account. */
const ASKED_US = 'You get this mail because support of Tidepost was asked with this address.';

const requestMail = ({ number, category, subject, from, url }: ReceivedRequest, what: string): MailText => ({
  subject: `${what}: ${subject} (#${number})`,
  title: what,
  why: TO_ADMINS,
  lines: [
    `${what} by ${from}.`,
    { facts: Object.entries({ Subject: subject, 'It is about': category, Number: `#${number}` }) },
    `We promise an answer within ${RESPONSE_HOURS} hours.`,
  ],
  button: { label: 'Open the request', url },
});

export const supportTemplates: { [K in keyof SupportMails]: (data: SupportMails[K]) => MailText } = {
  supportAsked: (data) => requestMail(data, 'A new support request'),
  supportWrittenAgain: (data) => requestMail(data, 'More was written in a support request'),
  supportFlood: ({ url }) => ({
    subject: 'Very many support requests within an hour',
    why: TO_ADMINS,
    lines: [
      'More support requests came within an hour than we mail you one by one. Those of the next hour are mailed singly again when they are fewer.',
      'Please look at the list: honest ones may be among them.',
    ],
    button: { label: 'Open the requests', url },
  }),
  supportAnswered: ({ name, number, subject, answer, url, until }) => ({
    subject: `Re: ${subject} (#${number})`,
    title: 'We have answered you',
    ...(until && { why: ASKED_US }),
    lines: [
      `Hello ${name},`,
      `This is our answer to your request #${number}, "${subject}":`,
      { quote: answer },
      until
        ? `If something is left, write to us on the page of your request. The link opens it without signing in and works until ${until}, so please do not pass it on.`
        : 'If something is left, write to us on the page of your request.',
    ],
    button: { label: 'Open your request', url },
  }),
};
