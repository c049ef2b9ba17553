import type { FeedbackStatus } from '#app/domain/feedback/limits.ts';
import type { FeedbackInput } from '#app/domain/feedback/schema.ts';
import type { StoryPost } from './story.ts';

/** A demo user with one published post, which the landing page may show. */
export type Neighbour = {
  name: string;
  email: string;
  topic: {
    name: string;
    description: string;
    keywords: string[];
    tone: 'professional' | 'casual' | 'educational';
  };
  post: Pick<StoryPost, 'content' | 'hashtags'>;
};

export const NEIGHBOURS: Neighbour[] = [
  {
    name: 'Amara Nwosu',
    email: 'amara@demo.example',
    topic: {
      name: 'Handover on a hospital ward',
      description: 'What one shift has to tell the next.',
      keywords: ['handover', 'nursing', 'patients'],
      tone: 'professional',
    },
    post: {
      content: `We moved the handover from the office to the bedside, and it got shorter.

In the office we told each other what was in the notes. At the bedside the patient hears it too, and corrects us. Twice last month that was a medicine.

It takes 22 minutes for 14 beds. It does not work at night, when people sleep.`,
      hashtags: ['Nursing', 'Handover', 'PatientSafety'],
    },
  },
  {
    name: 'Tomasz Wierzba',
    email: 'tomasz@demo.example',
    topic: {
      name: 'Running a small workshop',
      description: 'Prices, promises and repairs in a shop of four.',
      keywords: ['workshop', 'repairs', 'customers'],
      tone: 'casual',
    },
    post: {
      content: `A repair has two prices: what it costs, and what it costs to wait.

We used to name the first one only. Then a courier told us that three days without a bike were worth more to her than our whole bill.

Now the sheet has a line for it. Most people can wait. Those who can't are glad that somebody asked.`,
      hashtags: ['SmallBusiness', 'Repairs', 'Customers'],
    },
  },
  {
    name: 'Priya Raman',
    email: 'priya@demo.example',
    topic: {
      name: 'Data that people trust',
      description: 'Fewer dashboards, and figures that stand up to a question.',
      keywords: ['data', 'dashboards', 'trust'],
      tone: 'educational',
    },
    post: {
      content: `We deleted 61 of our 80 dashboards. Nobody wrote to us.

First we sent a mail: which of these do you open? Nine answers. Then we switched off what had not been looked at for a quarter, one each day, and waited.

The 19 that are left have an owner each, and a sentence that says which decision they are for.`,
      hashtags: ['Data', 'Analytics', 'Focus'],
    },
  },
  {
    name: 'Helena Costa',
    email: 'helena@demo.example',
    topic: {
      name: 'Bookkeeping for restaurants',
      description: 'Receipts, tips and the end of the month.',
      keywords: ['bookkeeping', 'receipts', 'restaurants'],
      tone: 'casual',
    },
    post: {
      content: `The end of the month is decided on its third day.

That is when the first supplier's bill arrives without a delivery note, and somebody puts it on the pile "for later". By the thirtieth the pile has a name and its own shelf.

One rule helped: a bill without a note goes back the same day. It annoyed our suppliers for two weeks.`,
      hashtags: ['Bookkeeping', 'Restaurants', 'SmallBusiness'],
    },
  },
  {
    name: 'Jonas Feldkamp',
    email: 'jonas@demo.example',
    topic: {
      name: 'Offers that hold in the trades',
      description: 'How a price comes about, and how to explain it.',
      keywords: ['offers', 'joinery', 'prices'],
      tone: 'professional',
    },
    post: {
      content: `The most useful line in our offers is headed "not included".

I once priced a kitchen without a look at the staircase, and the cupboard did not go round the corner. Since then each offer says what we have not seen, and what it would cost if it is there.

Customers ask about that line first. It is the part they believe.`,
      hashtags: ['Joinery', 'Offers', 'Trades'],
    },
  },
];

/** `by` and `votes` are indexes into the demo's users: DEMO_USER, then NEIGHBOURS. */
export type DemoFeedback = Pick<FeedbackInput, 'type' | 'title' | 'description'> & {
  by: number;
  votes: number[];
  daysAgo: number;
  rating?: number;
  status?: FeedbackStatus;
};

export const DEMO_FEEDBACK: DemoFeedback[] = [
  {
    by: 1,
    votes: [0, 2, 3, 4, 5],
    daysAgo: 24,
    type: 'feature_request',
    status: 'planned',
    title: 'Post to the page of my company as well',
    description:
      'Some of what I write belongs to us all. I would like to choose for each topic where it goes.',
  },
  {
    by: 0,
    votes: [1, 2, 4, 5],
    daysAgo: 19,
    type: 'feature_request',
    status: 'in_progress',
    title: 'A calendar address for what is scheduled',
    description:
      'So that the posts of the week stand between my meetings, in the calendar that I look at anyway.',
  },
  {
    by: 3,
    votes: [0, 1, 5],
    daysAgo: 21,
    type: 'improvement',
    status: 'completed',
    rating: 4,
    title: 'Keep line breaks when I paste from a document',
    description: 'Three paragraphs became one when I pasted them. I put the breaks back by hand each time.',
  },
  {
    by: 5,
    votes: [1, 3, 4],
    daysAgo: 12,
    type: 'feature_request',
    status: 'planned',
    title: 'One topic in two languages',
    description: 'My customers read German, my suppliers English. The same topic, written for both in turn.',
  },
  {
    by: 2,
    votes: [3, 5],
    daysAgo: 16,
    type: 'bug',
    status: 'completed',
    title: 'A long hashtag is cut in two on my phone',
    description: 'In the preview on a narrow screen. On LinkedIn itself it was whole.',
  },
  {
    by: 4,
    votes: [0, 2],
    daysAgo: 9,
    type: 'feature_request',
    status: 'reviewed',
    title: 'Let a colleague comment on a draft',
    description:
      'I would send two people a link before a post goes out. They need no account of their own for that.',
  },
  {
    by: 1,
    votes: [4],
    daysAgo: 7,
    type: 'improvement',
    title: 'Say how long a post takes to read',
    description: 'A number beside the characters. Mine get long without my noticing.',
  },
  {
    by: 3,
    votes: [0, 1],
    daysAgo: 6,
    type: 'compliment',
    status: 'reviewed',
    rating: 5,
    title: 'The interview asks better questions than my editor did',
    description:
      'It wanted a number where I had written "many". That post was the first that strangers answered.',
  },
  {
    by: 5,
    votes: [2],
    daysAgo: 5,
    type: 'general',
    status: 'reviewed',
    title: 'What happens to my posts while the shop is closed?',
    description: 'We close for two weeks in August. I would like to say so once, and find the queue waiting.',
  },
  {
    by: 0,
    votes: [],
    daysAgo: 3,
    type: 'improvement',
    title: 'Remember which posts I last filtered for',
    description: 'I look at those that failed first, every morning, and choose that again every morning.',
  },
  {
    by: 2,
    votes: [0, 4],
    daysAgo: 2,
    type: 'bug',
    status: 'in_progress',
    title: 'The week in my history begins on a Sunday',
    description: 'It begins on Monday here, and in my settings too.',
  },
  {
    by: 0,
    votes: [],
    daysAgo: 14,
    type: 'feature_request',
    status: 'declined',
    title: 'Like the posts of my colleagues by itself',
    description: 'It would save me ten minutes a day.',
  },
];

/** `by` is an index as in DemoFeedback. The messages alternate between the user and the admin. */
export const DEMO_TICKETS = [
  {
    by: 0,
    category: 'technical' as const,
    status: 'resolved' as const,
    subject: 'All my posts of this spring as a table',
    messages: [
      {
        hoursAgo: 75,
        text: 'I need what we posted since March for a report. Is there a way to get it as a table?',
      },
      {
        hoursAgo: 71,
        text: 'There is: on the page of your posts choose what you need, and then "Export as CSV". It opens in any spreadsheet.',
      },
      { hoursAgo: 52, text: 'Found it, thank you. And if I want it each month, without thinking of it?' },
      {
        hoursAgo: 50,
        text: 'A program can ask for the same list with a token, which you make under Account, API tokens. How it asks is written at /api/docs.',
      },
    ],
  },
  {
    by: 0,
    category: 'general' as const,
    status: undefined,
    subject: 'A second person for the same topics',
    messages: [
      {
        hoursAgo: 27,
        text: 'A colleague wants to post about onboarding too, from her own profile. Can we share an account?',
      },
      {
        hoursAgo: 22,
        text: 'An account posts to one profile, so she needs one of her own. What have you planned for the two of you? I can help you to divide the topics.',
      },
    ],
  },
  {
    by: 1,
    category: 'billing' as const,
    status: undefined,
    subject: 'From when does a new plan count?',
    messages: [{ hoursAgo: 3, text: 'I would like to begin with the first of next month, and pay today.' }],
  },
];
