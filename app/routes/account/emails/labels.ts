import { MAIL_CHOICES } from '#app/domain/email/limits.ts';

type Choice = (typeof MAIL_CHOICES)[number];

const CHOICES: Record<Choice, { label: string; text: string }> = {
  schedule: {
    label: 'Changes to your schedule',
    text: 'When a post goes out later than planned, or was set aside because nobody approved it.',
  },
  topics: {
    label: 'Paused topics',
    text: 'When a topic is paused because nothing could be written about it.',
  },
  reminders: {
    label: 'Reminders about LinkedIn',
    text: 'Before LinkedIn ends its permission, and when posts wait for you to connect it.',
  },
};

export const mailLabel = (choice: Choice): string => CHOICES[choice].label;

export const presentChoices = (muted: readonly string[]) =>
  MAIL_CHOICES.map((value) => ({ value, ...CHOICES[value], isWanted: !muted.includes(value) }));

export const MANDATORY_MAILS = [
  'Codes, and whatever changes how you sign in',
  'Your payments and your plan',
  'Posts that wait for your approval, or were not published',
  'A connection to LinkedIn that has ended',
];
