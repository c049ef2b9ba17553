import type { MailText } from '#app/domain/email/content.ts';

export type TopicMails = {
  topicPaused: {
    name: string;
    topic: string;
    failures: number;
    failure: string;
    hasOthers: boolean;
    url: string;
  };
};

export const topicTemplates: { [K in keyof TopicMails]: (data: TopicMails[K]) => MailText } = {
  topicPaused: ({ name, topic, failures, failure, hasOthers, url }) => ({
    subject: `Your topic “${topic}” is paused`,
    lines: [
      `Hello ${name},`,
      `We could not write a post about “${topic}” ${failures} times in a row. So the topic is paused: it has no turns until you resume it.`,
      `The last time: ${failure}.`,
      hasOthers
        ? 'Your other topics take its turns. Posts that are already written stay where they are.'
        : 'No other topic of yours has turns, so nothing new is written by itself now. Posts that are already written stay where they are.',
      'What helps: say in its description, in other words, what your posts should say about it and to whom. Then press Resume on its card.',
    ],
    button: { label: 'Edit the topic', url },
  }),
};
