import { type Db, type Trx, transact } from '#app/db/client.ts';
import { findUser, lockUser, setVoice } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { findRewritten, isWrittenByUs } from '#app/domain/posts/memory/memory.ts';
import { EXAMPLES_MAX } from './limits.ts';
import type { Language, VoiceInput } from './schema.ts';

const DEFAULTS = {
  audience: '',
  language: 'en' as Language,
  wordsToUse: [] as string[],
  wordsToAvoid: [] as string[],
  hasEmoji: false,
  interviewedAt: null as Date | null,
};

export type Voice = VoiceInput & { interviewedAt: Date | null };

export async function findVoice(db: Db, userId: string): Promise<Voice> {
  const { headline, voiceNotes } = await findUser(db, userId);
  const row = await db
    .selectFrom('voices')
    .select(['audience', 'language', 'wordsToUse', 'wordsToAvoid', 'hasEmoji', 'interviewedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const voice = row ? { ...row, language: row.language as Language } : DEFAULTS;
  return { headline, voiceNotes, ...voice };
}

export async function saveVoice(db: Db, { userId }: Actor, input: VoiceInput): Promise<void> {
  const { headline, voiceNotes, ...voice } = input;
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await setVoice(trx, userId, { headline, voiceNotes });
    await storeVoice(trx, userId, voice);
  });
}

const storeVoice = (trx: Trx, userId: string, voice: Partial<Omit<Voice, 'headline' | 'voiceNotes'>>) =>
  trx
    .insertInto('voices')
    .values({ userId, ...voice })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(voice))
    .execute();

export const markInterviewed = (trx: Trx, userId: string, at: Date) =>
  storeVoice(trx, userId, { interviewedAt: at });

export const listExamples = (db: Db, userId: string) =>
  db
    .selectFrom('voiceExamples')
    .select(['id', 'content'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

const notOwnWords = () =>
  new Refusal(
    409,
    'not_own_words',
    'This is nearly what Tidepost wrote for you. Posts get closer to you only by texts in your own words',
    { field: 'content' },
  );

async function insertExample(trx: Trx, userId: string, content: string): Promise<void> {
  await lockUser(trx, userId);
  const examples = await listExamples(trx, userId);
  if (examples.some((example) => example.content === content)) return;
  if (examples.length >= EXAMPLES_MAX) {
    const message = `At most ${EXAMPLES_MAX} examples can be kept. Please remove one first`;
    throw new Refusal(409, 'too_many_examples', message, { field: 'content' });
  }
  await trx.insertInto('voiceExamples').values({ userId, content }).execute();
}

/** Stores a text as an example, unless it is nearly one that the writer wrote. */
export async function addExample(db: Db, { userId }: Actor, content: string): Promise<void> {
  if (await isWrittenByUs(db, userId, content)) throw notOwnWords();
  await transact(db, (trx) => insertExample(trx, userId, content));
}

export async function addPostAsExample(db: Db, actor: Actor, postId: string): Promise<void> {
  const { id } = await findPost(db, actor, postId);
  const post = await findRewritten(db, actor.userId, id);
  if (!post) throw notOwnWords();
  await transact(db, (trx) => insertExample(trx, actor.userId, post.content));
}

export async function removeExample(db: Db, { userId }: Actor, exampleId: string): Promise<void> {
  const exampleNotFound = () => notFound('This example');
  if (!isId(exampleId)) throw exampleNotFound();
  await db
    .deleteFrom('voiceExamples')
    .where('id', '=', exampleId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirstOrThrow(exampleNotFound);
}
