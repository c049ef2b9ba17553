import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { findWritingTopic } from '#app/domain/topics/turns.ts';
import { addFact } from '#app/domain/voice/fact-list.ts';
import { LANGUAGES } from '#app/domain/voice/limits.ts';
import { FactInput, VoiceInput } from '#app/domain/voice/schema.ts';
import { saveVoice } from '#app/domain/voice/voice.ts';
import { loadContext } from '#app/domain/writing/generate/context.ts';
import { generatePost, noUsage } from '#app/domain/writing/generate/generate.ts';
import { storePost } from '#app/domain/writing/generate/store-post.ts';
import { noAttempts } from '#app/domain/writing/runs/attempts.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { signUp } from '#scripts/demo/make-demo.ts';
import { SAMPLES, type Sample } from './samples.ts';

const POSTS_EACH = 4;
/** Each post is generated in a month of its own, because a user without a plan has few free posts a month. */
const MONTH_MS = 32 * 86_400_000;
const MOST_MS = 60_000;
const INTRODUCTION = `# Sample posts

These 20 posts are the sandbox's writer's: no model wrote them. \`npm run sample-posts\` makes this page again, through the
functions that write for every user, against a database of its own and the sandbox, with two passes and all gates. The
people are invented, and so are their facts. Beside each post stands the brief it came from.
`;

const blockquote = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

const list = (lines: string[]) => lines.map((line) => `- ${line}`).join('\n');

async function writeOne(db: Db, actor: Actor, topicId: string, name: string, index: number): Promise<string> {
  const now = new Date(Date.now() + index * MONTH_MS);
  const { id: runId } = await generateNow(db, actor, { count: 1, topicId }, now);
  const topic = (await findWritingTopic(db, actor.userId, topicId))!;
  const attempts = noAttempts();
  const context = await loadContext(db, actor.userId, topic);
  const signal = AbortSignal.timeout(MOST_MS);
  const { post: generated, problem } = await generatePost({
    db,
    userId: actor.userId,
    context,
    usage: noUsage(),
    attempts,
    signal,
  });
  if (!generated) throw new Error(`No post for ${name}: ${problem}`);
  await storePost(
    db,
    { runId, runIndex: 0, userId: actor.userId, topicId, generated, slot: null, isRequested: true },
    now,
  );
  const { brief, draft, findings } = generated;
  const claims = draft.claims.map(({ text, fact }) => `“${text}” (fact ${fact})`);
  const lines = [
    `Topic: ${brief.topic}`,
    `Angle: ${brief.angle}, opens with ${brief.opening}, ends with ${brief.ending}, limit ${brief.limit}, ${brief.length}`,
    `Language: ${LANGUAGES[brief.language as keyof typeof LANGUAGES]}, tone: ${brief.tone}, emoji: ${brief.hasEmoji ? 'yes' : 'no'}`,
    ...(brief.facts.length > 0
      ? [`Facts given: ${brief.facts.map(({ content }, nth) => `${nth + 1}. ${content}`).join(' ')}`]
      : []),
    ...(claims.length > 0 ? [`Claims: ${claims.join(', ')}`] : []),
    `Thesis: ${draft.thesis}`,
    ...(findings.length > 0 ? [`Found on reading it again, and mended: ${findings.join(' ')}`] : []),
    `Sent back before: ${attempts.answers - 1} times`,
  ];
  const tags = draft.hashtags.map((tag) => `#${tag}`).join(' ');
  return `${list(lines)}\n\n${blockquote(`${draft.content}\n\n${tags}`)}\n`;
}

async function writeSample(db: Db, sample: Sample, nth: number): Promise<string> {
  const account = { email: `sample-${nth}@example.com`, name: sample.name, password: 'a sheet of samples' };
  const actor = await signUp(db, { ...account, timeZone: 'UTC' });
  await saveVoice(db, actor, VoiceInput.parse(sample.voice));
  const topics: { id: string; name: string }[] = [];
  for (const topic of sample.topics) topics.push(await createTopic(db, actor, TopicInput.parse(topic)));
  for (const { kind, content } of sample.facts) await addFact(db, actor, FactInput.parse({ kind, content }));
  const posts: string[] = [];
  for (let index = 0; index < POSTS_EACH; index += 1) {
    const topic = topics[index % topics.length]!;
    posts.push(`### ${nth}.${index + 1}\n\n${await writeOne(db, actor, topic.id, topic.name, index)}`);
  }
  const { headline, audience, voiceNotes } = sample.voice;
  const notes = voiceNotes ? ` Voice: ${voiceNotes}` : '';
  return `## ${nth}. ${sample.name}, ${headline}\n\nWrites for ${audience}.${notes}\n\n${posts.join('\n')}`;
}

/** Returns the text of docs/sample-posts.md. Needs an empty database. */
export async function makeSampleSheet(db: Db): Promise<string> {
  const sections: string[] = [];
  for (const [index, sample] of SAMPLES.entries()) sections.push(await writeSample(db, sample, index + 1));
  return [INTRODUCTION, ...sections].join('\n');
}
