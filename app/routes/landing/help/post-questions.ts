import { APPROVAL_LINK_DAYS, CHOOSE_WITHIN_DAYS } from '#app/domain/publishing/limits.ts';
import { FREE_POSTS_A_MONTH } from '#app/domain/writing/limits.ts';
import { spellNumberFirst } from '#app/ui/text.ts';
import type { Answer } from './questions.ts';

export const FIRST_STEPS: Answer[] = [
  {
    question: 'How do I begin?',
    answer:
      'Add a topic and have a post written. Then choose a plan, connect LinkedIn, and set the times at which posts go out. The dashboard shows which of the three steps are left.',
    to: '/app/dashboard',
    label: 'Open the dashboard',
    also: 'start setup onboarding first',
  },
  {
    question: 'What is free?',
    answer: `${spellNumberFirst(FREE_POSTS_A_MONTH)} posts a month without a card: press Generate now, and publish them by hand. Writing and publishing by itself needs a plan.`,
    to: '/app/dashboard',
    label: 'Write a free post',
    also: 'trial cost price without paying',
  },
  {
    question: 'I did not get the verification code',
    answer:
      'Look into your spam folder, and check the address on the page. You can ask for another code after a minute. The newest code counts, and the mail has a link that does the same.',
    to: '/verify-otp',
    label: 'Enter the code',
    also: 'otp email missing sign up verify',
  },
];

export const POSTS: Answer[] = [
  {
    question: 'When are posts written and published?',
    answer:
      'They are written once a day at your content generation time, for the publish times that follow it. All times are those of your time zone, which stands in Automation Settings.',
    to: '/app/dashboard',
    label: 'Open Automation Settings',
    also: 'schedule clock hour slot timezone',
  },
  {
    question: 'Can I read posts before they go out?',
    answer:
      'Yes. What is written waits under Scheduled Posts until its time. There you can edit, move, publish or delete it.',
    to: '/app/scheduled',
    label: 'See what waits',
    also: 'review preview edit change queue',
  },
  {
    question: 'How do I approve each post first?',
    answer: `Choose “ask me before each post” in Automation Settings, or for a single topic. We mail you the texts with links that work for up to ${APPROVAL_LINK_DAYS} days. A post that is not approved by its time is not published: it moves to your next free time once, and is set aside after that.`,
    to: '/app/scheduled',
    label: 'See what waits for you',
    also: 'approval consent review permission ask',
  },
  {
    question: 'How do I pause everything?',
    answer:
      'Switch automation to paused on the dashboard. Nothing is written or published then, and posts keep their places. When you switch it on again, those whose time has passed take the next free times.',
    to: '/app/dashboard',
    label: 'Pause or go on',
    also: 'stop holiday vacation halt resume switch off',
  },
  {
    question: 'Can I leave out weekends or holidays?',
    answer: 'Yes. Automation Settings have the days of the week on which posts go out, and single days off.',
    to: '/app/dashboard',
    label: 'Choose the days',
    also: 'saturday sunday vacation days off calendar',
  },
  {
    question: 'How do I make posts sound like me?',
    answer:
      'Describe your topics exactly, and tell us facts: projects, numbers, opinions. Under Your voice you say whom you write for and which words you use and avoid, and give texts of your own as examples.',
    to: '/app/voice',
    label: 'Open Your voice',
    also: 'tone style better quality generic facts',
  },
  {
    question: 'Why was no post written?',
    answer:
      'The dashboard says so, with the reason. Mostly there is no active topic, no plan, or the writer had nothing to say about a topic: that one is then paused, and its card says why.',
    to: '/app/topics',
    label: 'Look at your topics',
    also: 'missing empty generate failed nothing',
  },
];

export const LINKEDIN: Answer[] = [
  {
    question: 'LinkedIn is not connected any more. What now?',
    answer: `LinkedIn gives its permission for a while only. Connect again: nothing was lost, and posts keep their places. You then have ${CHOOSE_WITHIN_DAYS} days to choose what becomes of those whose time had passed; after that they take your next free times.`,
    to: '/app/linkedin',
    label: 'Connect LinkedIn',
    also: 'expired disconnected lost token revoked reconnect',
  },
  {
    question: 'What may Tidepost do on LinkedIn?',
    answer:
      'Read your name, picture and e-mail address, and publish posts for you. It cannot read your messages or contacts. You can disconnect at any time, which deletes what we were given for that.',
    to: '/app/linkedin',
    label: 'See the permissions',
    also: 'access scope security privacy read',
  },
  {
    question: 'LinkedIn did not confirm a post',
    answer:
      'The post may be on your profile, or not: LinkedIn did not say. Look there, then press “It is there” or “Post it again”. We never send it a second time by ourselves.',
    to: '/app/posts',
    label: 'Open Post History',
    also: 'unconfirmed duplicate twice unknown failed',
  },
  {
    question: 'Why was a post not published?',
    answer:
      'Its card in Post History says why, whether it is on LinkedIn, and has the button that mends it. We mail you, too.',
    to: '/app/posts',
    label: 'Open Post History',
    also: 'failed error refused retry missing',
  },
  {
    question: 'How do I delete a post from LinkedIn?',
    answer:
      'Delete it in Post History: a published post is deleted on LinkedIn first. It cannot be brought back.',
    to: '/app/posts',
    label: 'Open Post History',
    also: 'remove take down undo published',
  },
  {
    question: 'Why are there no numbers of likes and comments?',
    answer:
      'LinkedIn lets an ordinary application publish, but not read how a post does. Instead of zeros we say that they are not available; you can type them in yourself.',
    to: '/app/posts',
    label: 'Open Post History',
    also: 'engagement statistics impressions analytics shares',
  },
];
