import { z } from 'zod';
import { CURES, PRESENCES } from '#app/domain/posts/failures.ts';
import { POST_STATUSES } from '#app/domain/posts/limits.ts';
import { count, id, instant, Message, pageOf, type Says, text } from '#app/http/api-says.ts';

const keysOf = <K extends string>(words: Record<K, unknown>) => Object.keys(words) as [K, ...K[]];

const Topic = z
  .object({
    _id: id,
    name: text('Planning for small teams'),
    description: text('How three people plan a week'),
    keywords: z.array(text('planning')),
    tone: text('professional'),
    approval: z.string().nullable(),
    active: z.boolean(),
    paused: z.boolean(),
    pausedUntil: instant.nullable(),
    reason: z.string().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Topic' });

const typedIn = count.nullable();
export const Post = z
  .object({
    _id: id,
    content: text('A weekly plan should fit on a postcard.'),
    imageUrl: z.string().nullable(),
    altText: z.string().nullable(),
    hashtags: z.array(text('Planning')),
    status: z.enum(POST_STATUSES as [string, ...string[]]),
    reason: z.string().nullable(),
    presence: z.enum(keysOf(PRESENCES)).meta({ description: 'Whether it is on LinkedIn' }),
    presenceText: z.string(),
    cure: z.object({ name: z.enum(keysOf(CURES)), label: z.string() }).nullable(),
    topicId: z.object({ _id: id, name: z.string().nullable() }).nullable(),
    scheduledPublishTime: z.string().nullable().meta({ description: 'HH:MM in the zone of its owner' }),
    publishAt: instant.nullable(),
    postedAt: instant.nullable(),
    createdAt: instant,
    linkedInPostUrl: z.string().nullable(),
    engagement: z.object({
      likes: typedIn,
      comments: typedIn,
      shares: typedIn,
      impressions: typedIn,
      source: z.string().nullable().meta({ description: '`user`: its owner typed the numbers in' }),
    }),
  })
  .meta({ id: 'Post' });

const Run = z
  .object({
    _id: id,
    status: z.string(),
    requested: count,
    done: count,
    failed: count,
    error: z.string().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Run' });

const Settings = z
  .object({
    postsPerDay: count,
    contentCreationTime: text('08:00'),
    publishTimes: z.array(text('09:00')),
    publishDays: z.array(text('monday')),
    daysOff: z.array(text('2027-12-24')),
    enabled: z.boolean(),
    requireApproval: z.boolean(),
    timeZone: text('Europe/Berlin'),
  })
  .meta({ id: 'AutomationSettings' });

const Stats = z
  .object({
    totalPosts: count,
    publishedPosts: count,
    scheduledPosts: count,
    totalTopics: count,
    activeTopics: count,
    pausedTopics: count,
    generatedToday: count,
    publishedToday: count,
    recentPosts: z.array(Post),
  })
  .meta({ id: 'Stats' });

export const LinkedIn = z
  .object({
    connected: z.boolean(),
    account: z
      .object({
        profileData: z.object({
          name: z.string(),
          email: z.string().nullable(),
          profilePicture: z.string().nullable(),
        }),
        expiresAt: instant,
      })
      .nullable(),
  })
  .meta({ id: 'LinkedInStatus' });

const oneTopic = z.object({ topic: Topic });
const onePost = z.object({ post: Post });
const TOPIC = { name: 'Planning for small teams', keywords: ['planning', 'focus'], tone: 'professional' };

export const SAYS = {
  topics: { does: 'Lists the topics, newest first', answers: pageOf('topics', Topic) },
  createTopic: { does: 'Makes a topic', answers: oneTopic, status: 201, sends: TOPIC },
  topic: { does: 'Reads a topic', answers: oneTopic },
  changeTopic: { does: 'Changes what is sent of a topic', answers: oneTopic, sends: { tone: 'casual' } },
  deleteTopic: { does: 'Deletes a topic', answers: Message },
  toggleTopic: { does: 'Switches a topic on or off', answers: oneTopic },
  pauseTopic: { does: 'Pauses a topic until a day', answers: oneTopic, sends: { until: '2027-03-01' } },
  resumeTopic: { does: 'Ends the pause of a topic', answers: oneTopic },
  settings: { does: 'Reads when posts are written and go out', answers: z.object({ settings: Settings }) },
  saveSettings: {
    does: 'Changes when posts are written and go out',
    answers: z.object({ settings: Settings }),
    sends: { publishTimes: ['09:00', '17:30'], requireApproval: true },
  },
  posts: {
    does: 'Lists the posts, newest first, with the sums of all of them',
    answers: pageOf('posts', Post).extend({
      totals: z.object({ posts: count, likes: typedIn, comments: typedIn, shares: typedIn }),
    }),
  },
  changePost: { does: 'Changes what is sent of a post', answers: onePost, sends: { hashtags: ['Planning'] } },
  deletePost: { does: 'Deletes a post, on LinkedIn first', answers: Message },
  acknowledge: {
    does: 'Says that a post of which nobody knows is on LinkedIn',
    answers: onePost,
    sends: { link: 'https://www.linkedin.com/feed/update/urn:li:share:7' },
  },
  act: {
    does: 'Approves a post, or has it go out now, once more, or again although it may be out',
    answers: onePost.extend({ message: z.string().optional() }),
  },
  scheduled: { does: 'Lists the posts that wait, soonest first', answers: pageOf('posts', Post) },
  stats: { does: 'Reads the numbers of the dashboard', answers: z.object({ stats: Stats }) },
  generate: {
    does: 'Has posts written now',
    answers: z.object({ run: Run }),
    status: 202,
    sends: { count: 1 },
  },
  run: {
    does: 'Reads how far a run of the writer is, and its posts',
    answers: z.object({ run: Run, posts: z.array(Post) }),
  },
  connect: {
    does: 'Gives the address at which a person connects LinkedIn',
    answers: z.object({ authUrl: z.url() }),
  },
  linkedIn: { does: 'Says whether LinkedIn is connected', answers: LinkedIn },
  disconnect: { does: 'Disconnects LinkedIn', answers: Message },
} satisfies Record<string, Says>;
