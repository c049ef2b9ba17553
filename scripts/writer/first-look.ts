import { createDatabase, type Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import type { WritingTopic } from '#app/domain/topics/topics.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { addFact } from '#app/domain/voice/fact-list.ts';
import { FactInput } from '#app/domain/voice/schema.ts';
import { loadContext } from '#app/domain/writing/generate/context.ts';
import { generatePost, noUsage } from '#app/domain/writing/generate/generate.ts';
import { storePost } from '#app/domain/writing/generate/store-post.ts';
import type { ItemAttempts } from '#app/domain/writing/runs/attempts.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { env } from '#app/env.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import { startSandbox } from '#sandbox/server/server.ts';
import { signUp } from '#scripts/demo/make-demo.ts';
import { migrate } from '#scripts/migrate.ts';
import type { Postgres } from '#scripts/postgres/postgres.ts';
import { readEnvFile } from '#scripts/start/settings.ts';

const POSTS = 3;
const MOST_MS = 10 * 60_000;
const HELP = `Usage: npm run try-writer -- "topic" ["a true fact about you" …]`;
const OPERATOR = { email: 'operator@example.com', name: 'Operator', password: 'a look at the writer' };

/** Starts the sandbox when no writer is configured. Returns a function that stops it. */
async function configureWriter(): Promise<() => Promise<void>> {
  readEnvFile();
  if (process.env.OPENAI_API_KEY || process.env.OPENAI_BASE_URL) return async () => {};
  const sandbox = await startSandbox();
  process.env.OPENAI_BASE_URL = `${sandbox.url}/openai/v1`;
  console.log('No writer is configured (OPENAI_API_KEY): the one of the sandbox answers.\n');
  return () => sandbox.close();
}

/** Prints the reasons for each rejected draft. */
function printedAttempts(): ItemAttempts {
  let rejections: string[] = [];
  return {
    answers: 0,
    complaints: [],
    rejected: null,
    get rejections() {
      return rejections;
    },
    set rejections(reasons) {
      rejections = reasons;
      for (const reason of reasons) console.log(`  sent back: ${reason}`);
    },
  };
}

const secondsSince = (time: number) => `${((performance.now() - time) / 1_000).toFixed(1)} s`;

/** Returns whether the post passed all gates. */
async function writeOne(db: Db, actor: Actor, topic: WritingTopic, nth: number): Promise<boolean> {
  const startedAt = performance.now();
  const usage = noUsage();
  console.log(`— Post ${nth} of ${POSTS}`);
  const { id: runId } = await generateNow(db, actor, { count: 1, topicId: topic.id });
  const signal = AbortSignal.timeout(MOST_MS);
  const context = await loadContext(db, actor.userId, topic);
  const input = { db, userId: actor.userId, context, usage, signal };
  const { post: generated, problem } = await generatePost({ ...input, attempts: printedAttempts() });
  if (generated) {
    const { brief, draft, findings } = generated;
    const post = { runId, runIndex: 0, userId: actor.userId, topicId: topic.id, generated };
    await storePost(db, { ...post, slot: null, isRequested: true }, new Date());
    console.log(`  ${brief.angle}, opens with ${brief.opening}, ends with ${brief.ending}\n`);
    console.log(`${draft.content}\n\n${draft.hashtags.map((tag) => `#${tag}`).join(' ')}\n`);
    for (const finding of findings) console.log(`  mended: ${finding}`);
    console.log('  passed every gate');
  } else console.log(`  no post: ${problem}.`);
  const { model, inputTokens, outputTokens } = usage;
  console.log(
    `  ${model}: ${inputTokens} tokens read, ${outputTokens} written, ${secondsSince(startedAt)}\n`,
  );
  return generated !== undefined;
}

async function writeAll(db: Db, name: string, facts: string[]): Promise<void> {
  const actor = await signUp(db, { ...OPERATOR, timeZone: 'UTC' });
  const topic = await createTopic(db, actor, TopicInput.parse({ name }));
  for (const content of facts) await addFact(db, actor, FactInput.parse({ content }));
  let passed = 0;
  for (let nth = 1; nth <= POSTS; nth += 1) passed += Number(await writeOne(db, actor, topic, nth));
  console.log(`${passed} of ${POSTS} posts passed.`);
  if (passed === 0) process.exitCode = 1;
}

type OpenDatabase = () => Promise<Pick<Postgres, 'url' | 'stop'>>;

async function run(name: string, facts: string[], openDatabase: OpenDatabase): Promise<void> {
  const stopSandbox = await configureWriter();
  try {
    await writeInNewDatabase(name, facts, openDatabase);
  } finally {
    await stopSandbox();
  }
}

async function writeInNewDatabase(name: string, facts: string[], openDatabase: OpenDatabase): Promise<void> {
  const { OPENAI_BASE_URL, OPENAI_MODEL } = env();
  const postgres = await openDatabase();
  try {
    await migrate({ ownerUrl: postgres.url(), url: postgres.url() });
    const { db } = createDatabase(postgres.url(), 4);
    console.log(`${OPENAI_MODEL} at ${new URL(OPENAI_BASE_URL).host}, about “${name}”\n`);
    await writeAll(db, name, facts).finally(() => db.destroy());
  } finally {
    await postgres.stop();
  }
}

function describeError(error: unknown): string {
  if (error instanceof WriterFault) return error.message;
  if (!(error instanceof WriterBusy)) return (error as Error).message;
  const { message, retryAfterSeconds } = error;
  const retryHint = retryAfterSeconds
    ? ` It asks for ${Math.ceil(retryAfterSeconds)} seconds of patience.`
    : '';
  return `${message} (OPENAI_BASE_URL is ${env().OPENAI_BASE_URL}).${retryHint}`;
}

/** `npm run try-writer`: writes three posts about a topic with the configured writer, as the product does. */
export async function firstLook(args: string[], openDatabase: OpenDatabase): Promise<void> {
  const [topic, ...facts] = args.map((arg) => arg.trim());
  try {
    if (!topic) throw new Error(HELP);
    await run(topic, facts, openDatabase);
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
