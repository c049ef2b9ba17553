import type { Brief } from '#app/domain/writing/generate/brief.ts';

/** The status is `generated` by default. */
export type StoryPost = {
  topic: string;
  content: string;
  hashtags: string[];
  status?: 'pending';
  provenance?: StoryProvenance;
};

/** A claim refers to its fact by the fact's content. */
type StoryProvenance = Pick<Brief, 'angle' | 'opening' | 'ending' | 'limit' | 'length'> & {
  thesis: string;
  claims: { text: string; fact: string }[];
  findings: string[];
  score: number;
  reasons: string[];
};

type StoryTopic = {
  name: string;
  description: string;
  keywords: string[];
  tone: 'professional' | 'casual' | 'educational';
};

export const STORY_TOPICS: StoryTopic[] = [
  {
    name: 'Weekly planning for small teams',
    description: 'How a team of up to ten plans a week without meetings that eat the week.',
    keywords: ['planning', 'focus', 'small teams', 'meetings'],
    tone: 'professional',
  },
  {
    name: 'Writing that gets read at work',
    description: 'Memos, updates and messages that people finish reading.',
    keywords: ['writing', 'memos', 'clarity'],
    tone: 'educational',
  },
  {
    name: 'Onboarding new colleagues',
    description: 'The first month of a new hire: what to prepare, what to leave out.',
    keywords: ['onboarding', 'hiring', 'first month'],
    tone: 'casual',
  },
];

const [PLANNING, WRITING, ONBOARDING] = STORY_TOPICS.map(({ name }) => name) as [string, string, string];

export const STORY_VOICE = {
  headline: 'Operations lead, small teams that ship',
  audience: 'people who lead teams of up to ten',
  voiceNotes: 'Short sentences. No jargon. Says what it costs.',
  wordsToUse: 'crew, postcard',
  wordsToAvoid: 'leverage, synergy, game changer',
};

const SHIPS = 'Each new colleague ships one small change by their fourth day.';

/** A fact without a topic applies to all topics. */
export const STORY_FACTS: { topic?: string; content: string }[] = [
  { topic: PLANNING, content: 'Our weekly plan has been one postcard on the kitchen wall since March.' },
  {
    topic: PLANNING,
    content: 'We cut four status meetings a week down to one page that takes 6 minutes to read.',
  },
  {
    topic: PLANNING,
    content: 'We planned every hour for a quarter, and learned that the fifth plan was the first honest one.',
  },
  { topic: WRITING, content: 'I think a memo without a decision in its first line should be sent back.' },
  { topic: WRITING, content: 'What do I do with an update that nobody answers?' },
  { topic: ONBOARDING, content: SHIPS },
  { topic: ONBOARDING, content: '11 of our 14 people came through a trial week that was paid.' },
  { content: 'I ran the kitchen of a ferry for two seasons before I led a software team.' },
];

export const PUBLISHED_STORY: StoryPost[] = [
  {
    topic: WRITING,
    content: `Put the decision in the first sentence of a memo.

Most updates are built like detective stories: background, method, options, and on page two the answer. The reader who has four minutes leaves before the answer arrives.

Turn it round. First the decision you made or need. Then the reason, in one line. Then whatever the careful reader wants to check.

The memo gets shorter by itself, because half of the background only existed to delay the decision.`,
    hashtags: ['Writing', 'Clarity', 'Memos'],
  },
  {
    topic: PLANNING,
    content: `A weekly plan should fit on a postcard.

If it needs a spreadsheet, it is an inventory of wishes. A small team can carry three things to the end in a week, and it knows on Monday which three they are when somebody dares to write them down.

Write the three outcomes, one owner each, and the first step that can be done before lunch. Leave the rest of the card empty.

The empty part is where the week happens.`,
    hashtags: ['Planning', 'SmallTeams', 'Focus'],
  },
  {
    topic: ONBOARDING,
    content: `The best onboarding document is the one a new colleague corrects.

Hand over the guide on day one with a single request: change every sentence that turns out to be wrong. By Friday the guide is right again, the newcomer has read every line of it, and there is a first contribution to show.

It also tells you something no survey will: which parts of your work you stopped seeing.`,
    hashtags: ['Onboarding', 'Hiring', 'Teams'],
  },
  {
    topic: PLANNING,
    content: `Cancel the status meeting, keep the questions.

A status meeting answers three questions for everybody, one person at a time. In writing the same answers take each person a few minutes, and nobody waits for their turn to speak.

What should stay a meeting is the part nobody can write alone: the decision that two people see differently. Bring that one, with both views on paper, and it takes a quarter of the time.`,
    hashtags: ['Meetings', 'Planning', 'Teamwork'],
  },
  {
    topic: WRITING,
    content: `Read your message aloud before you send it.

Where you run out of breath, the sentence is too long. Where you would never say it like that across a table, the reader hears a form letter.

It costs a minute. It is the cheapest editor there is, and it never has a backlog.`,
    hashtags: ['Writing', 'Communication', 'Clarity'],
  },
];

export const FAILED_STORY: StoryPost = {
  topic: PLANNING,
  content: `A weekly plan should fit on a postcard.

If it does not, it is a list of wishes. Five lines are enough: what will be done, by whom, and how the others will see it.

What has no line this week is not forgotten. It has been decided against, for seven days, and everybody knows it.`,
  hashtags: ['Planning', 'Focus', 'Teams'],
};

export const SCHEDULED_STORY: StoryPost[] = [
  {
    topic: ONBOARDING,
    content: `Give a new colleague one small thing that ships in the first week.

Not a tour, not a reading list. A change that a customer could notice, small enough that it can be finished, real enough that it passes through every station your work passes through.

Here each new colleague ships one by their fourth day. Whoever has done it once knows whom to ask, where things get stuck, and that they are allowed to touch them.

It costs somebody else an afternoon of sitting beside them. Where nobody has that afternoon, begin with the reading list.`,
    hashtags: ['Onboarding', 'FirstWeek', 'Teams'],
    provenance: {
      angle: 'how-to',
      opening: 'instruction',
      ending: 'price',
      limit: 'late',
      length: 'short',
      thesis: 'A first small change that ships teaches more than a reading list',
      claims: [{ text: 'Here each new colleague ships one by their fourth day.', fact: SHIPS }],
      findings: [
        '“Small enough” was cryptic: small enough for what?',
        'Nothing was said of what it costs the team.',
      ],
      score: 70,
      reasons: [
        'Names your fact “Each new colleague ships one small change by…”',
        'Opens with a concrete thing',
        'Says when it does not work, or what it costs',
      ],
    },
  },
  {
    topic: WRITING,
    content: `Every update has one reader who matters most. Write to that person.

A text for everybody explains too much to some and too little to the rest. Pick the colleague who has to act on it, and answer the question they would ask first.

The others read over that shoulder, and they understand more than from a text that tried to please them all.`,
    hashtags: ['Writing', 'Memos', 'Communication'],
  },
  {
    topic: PLANNING,
    content: `Plan the week backwards from Friday afternoon.

Ask what should be true by then, not what there is to do. The answer is a short list of states: the contract is signed, the page is live, the offer is out. Tasks follow from it, and the ones that lead to none of them can wait.

Teams that plan forwards fill the week. Teams that plan backwards finish it.`,
    hashtags: ['Planning', 'Focus', 'SmallTeams'],
  },
  {
    topic: ONBOARDING,
    status: 'pending',
    content: `Tell a new hire what not to do yet.

The first month has more good ideas in it than hours. A short list of things that can wait is a kindness: it keeps the energy for the few that matter, and it shows that you thought about their time.

Three lines are enough. Review them together at the end of the month, and strike out what is ready to begin.`,
    hashtags: ['Onboarding', 'FirstMonth', 'Leadership'],
  },
];
