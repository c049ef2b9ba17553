import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { VERSIONS_MAX } from '#app/domain/posts/limits.ts';
import { listVersions, storeVersion } from '#app/domain/posts/versions.ts';
import { TOPIC_FAILURES_MAX } from '#app/domain/topics/limits.ts';
import { listTurns, recordFailedTurn, recordTurn } from '#app/domain/topics/turns.ts';
import { addFact } from '#app/domain/voice/fact-list.ts';
import { FactInput } from '#app/domain/voice/schema.ts';
import type { Brief } from '#app/domain/writing/generate/brief.ts';
import {
  findBrief,
  listRecentBriefs,
  replaceBrief,
  storeBrief,
  toStoredBrief,
} from '#app/domain/writing/generate/brief-store.ts';
import { listTopicsByTurn, loadContext } from '#app/domain/writing/generate/context.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeScheduledPost, makeTopic } from '#tests/fixtures/posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { SEED } from '#tests/harness/seed.ts';

const { db } = await testDatabase();
const KINDS = ['project', 'number', 'opinion', 'lesson', 'question'] as const;
/** Many runs on one laptop would take minutes. */
const RUNS = 12;

let clock = Date.now();
const later = () => {
  clock += 1_000;
  return new Date(clock);
};

async function author(facts: (typeof KINDS)[number][] = []) {
  const actor = await makeUser(db, {});
  await makeTopic(db, actor, 'Planning');
  for (const [nth, kind] of facts.entries()) {
    await addFact(db, actor, FactInput.parse({ kind, content: `The ${kind} of number ${nth} is known` }));
  }
  const [topic] = await listTurns(db, actor.userId);
  return { actor, topic: topic! };
}

type Step =
  /** So many posts side by side, and which of them is stored first. */
  | { does: 'write'; count: number; first: number }
  | { does: 'again' | 'asked'; of: number }
  /** The writer had its facts, and no text was good enough. */
  | { does: 'reject' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      count: fc.integer({ min: 1, max: 3 }),
      first: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('again', 'asked'), of: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reject' as const) }) },
);
const history = fc.record({
  facts: fc.array(fc.constantFrom(...KINDS), { maxLength: 9 }),
  steps: fc.array(step, { minLength: 6, maxLength: 16 }),
});

/** Lives a history; answers the briefs as the posts stand one after the other, and the facts as they were given. */
async function live({ facts, steps }: { facts: (typeof KINDS)[number][]; steps: Step[] }) {
  const { actor, topic } = await author(facts);
  const { userId } = actor;
  const postIds: string[] = [];
  const given: Brief['facts'][] = [];
  const write = async ({ count, first }: { count: number; first: number }) => {
    const beside: Brief[] = [];
    const plans: { brief: Brief; postId: string; at: Date }[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const { brief } = await loadContext(db, userId, topic, { beside });
      beside.unshift(brief);
      plans.push({ brief, postId: await makeScheduledPost(db, actor, { dueAt: later() }), at: later() });
    }
    postIds.push(...plans.map(({ postId }) => postId));
    given.push(...plans.map(({ brief }) => brief.facts));
    const stored = [...plans.slice(first % count), ...plans.slice(0, first % count)];
    for (const { brief, postId, at } of stored) {
      const composed = { ...composedOf(`A text ${postId}`), brief };
      await transact(db, (trx) => storeBrief(trx, { postId, userId }, composed, at));
    }
  };
  const rewrite = async (postId: string, instruction: string | null) => {
    const made = (await findBrief(db, userId, postId))!;
    const rewrite = { postId, instruction, content: made.content, brief: made.brief };
    const { brief } = await loadContext(db, userId, topic, { rewrite });
    if (!instruction) given.push(brief.facts);
    const text = toStoredBrief({ ...composedOf(`Another text ${postId}`), brief });
    await transact(db, (trx) => replaceBrief(trx, { postId, userId }, text, later()));
  };
  for (const each of steps) {
    if (each.does === 'write') await write(each);
    else if (each.does === 'reject') await loadContext(db, userId, topic);
    else if (postIds.length > 0) {
      await rewrite(postIds[each.of % postIds.length]!, each.does === 'asked' ? 'Make it shorter' : null);
    }
  }
  const briefs: Brief[] = [];
  for (const postId of postIds) briefs.push((await findBrief(db, userId, postId))!.brief);
  return { briefs, given };
}

function assertUnworn(kinds: string[]) {
  for (const [at, kind] of kinds.entries()) {
    assert.notEqual(kind, kinds[at - 1], `twice in a row at ${at}: ${kinds.join(' ')}`);
    const ten = kinds.slice(Math.max(0, at - 9), at + 1);
    assert.ok(ten.filter((each) => each === kind).length <= 3, `more than 3 of 10: ${ten.join(' ')}`);
  }
}

test('whatever is written, rejected and written again, side by side, no opening and no ending wears out', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (lived) => {
      const { briefs } = await live(lived);
      assertUnworn(briefs.map(({ opening }) => opening));
      assertUnworn(briefs.map(({ ending }) => ending));
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test('a post that is written again keeps its place between the others', async () => {
  const { actor, topic } = await author();
  const { userId } = actor;
  const theses = ['First', 'Second', 'Third'];
  const postIds: string[] = [];
  const textOf = async (thesis: string) => {
    const { brief } = await loadContext(db, userId, topic);
    const composed = composedOf(`A text ${thesis}`);
    return { ...composed, brief, draft: { ...composed.draft, thesis } };
  };
  for (const thesis of theses) {
    const postId = await makeScheduledPost(db, actor, { dueAt: later() });
    const composed = await textOf(thesis);
    await transact(db, (trx) => storeBrief(trx, { postId, userId }, composed, later()));
    postIds.push(postId);
  }
  const opening = async (postId: string) => (await findBrief(db, userId, postId))!.brief.opening;
  const [first, second, third] = postIds as [string, string, string];
  const text = toStoredBrief(await textOf('Second, again'));
  await transact(db, (trx) => replaceBrief(trx, { postId: second, userId }, text, later()));
  assert.deepEqual((await listRecentBriefs(db, userId)).theses, ['Third', 'Second, again', 'First']);
  const { before, after, ...rest } = await listRecentBriefs(db, userId, second);
  assert.deepEqual(
    before.map((each) => each.opening),
    [await opening(first)],
  );
  assert.deepEqual(
    after.map((each) => each.opening),
    [await opening(third)],
  );
  assert.deepEqual(rest.theses, ['Third', 'First']);
});

test('a fact comes again when all others of its kind have come since', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (lived) => {
      // What is asked for of a post has the facts that it had.
      const steps = lived.steps.map((each) =>
        each.does === 'write'
          ? { ...each, count: 1, first: 0 }
          : each.does === 'asked'
            ? { does: 'reject' as const }
            : each,
      );
      const { given } = await live({ ...lived, steps });
      const ofKind = (kind: string) => lived.facts.filter((each) => each === kind).length;
      for (const kind of KINDS) {
        const ids = given.flatMap((facts) => facts.filter((fact) => fact.kind === kind).map(({ id }) => id));
        for (const [at, id] of ids.entries()) {
          const before = ids.lastIndexOf(id, at - 1);
          if (at === 0 || before === -1) continue;
          const since = new Set(ids.slice(before + 1, at));
          assert.equal(since.size, ofKind(kind) - 1, `${kind} after ${since.size} of ${ofKind(kind)} others`);
        }
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

const outcomes = fc.array(fc.constantFrom('post', 'topic', 'writer'), { minLength: 5, maxLength: 30 });

test('whatever fails, topics take turns, and one is paused by its third failure in a row, once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), outcomes, async (topics, steps) => {
      const actor = await makeUser(db, {});
      for (let nth = 0; nth < topics; nth += 1) await makeTopic(db, actor, `Topic ${nth}`);
      const inRow = new Map<string, number>();
      const pausedAt = new Map<string, number>();
      const turns: string[] = [];
      for (const outcome of steps) {
        const open = await listTopicsByTurn(db, actor.userId, null);
        assert.equal(open.length, topics - pausedAt.size);
        const [topic] = open;
        if (!topic) break;
        const now = later();
        const since = turns.slice(turns.lastIndexOf(topic.id) + 1);
        const others = open.filter(({ id }) => id !== topic.id).map(({ id }) => id);
        if (turns.includes(topic.id))
          assert.ok(
            others.every((id) => since.includes(id)),
            'before its turn',
          );
        turns.push(topic.id);
        if (outcome === 'post')
          await transact(db, (trx) => recordTurn(trx, { id: topic.id, userId: actor.userId }, now));
        else
          await transact(db, (trx) =>
            recordFailedTurn(trx, topic.id, outcome === 'topic' ? 'It failed' : null, now),
          );
        if (outcome !== 'writer')
          inRow.set(topic.id, outcome === 'post' ? 0 : (inRow.get(topic.id) ?? 0) + 1);
        if (inRow.get(topic.id) === TOPIC_FAILURES_MAX) pausedAt.set(topic.id, now.getTime());
      }
      const kept = await db
        .selectFrom('topics')
        .select(['id', 'pausedAt'])
        .where('userId', '=', actor.userId)
        .execute();
      for (const each of kept) assert.equal(each.pausedAt?.getTime(), pausedAt.get(each.id));
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test('of whatever texts a post has had, ten are kept, and its own words as long as there is room', async () => {
  const texts = fc.array(fc.record({ of: fc.nat(25), isOwn: fc.boolean() }), { minLength: 8, maxLength: 40 });
  const actor: Actor = await makeUser(db, {});
  await fc.assert(
    fc.asyncProperty(texts, async (steps) => {
      const postId = await makeScheduledPost(db, actor, { dueAt: later() });
      const key = { postId, userId: actor.userId };
      const own: string[] = [];
      for (const { of, isOwn } of steps) {
        const content = `${isOwn ? 'Own' : 'Written'} ${of}`;
        const made = isOwn ? null : { content };
        await transact(db, (trx) => storeVersion(trx, key, { content, hashtags: [], made }, later()));
        if (isOwn && !own.includes(content)) own.unshift(content);
        const kept = (await listVersions(db, actor.userId, postId)).map((each) => each.content);
        assert.ok(kept.length <= VERSIONS_MAX);
        assert.equal(new Set(kept).size, kept.length, 'each text once');
        assert.ok(kept.includes(content), 'the last one is there');
        assert.ok(
          own.slice(0, VERSIONS_MAX - 1).every((words) => kept.includes(words)),
          'own words went first',
        );
        // What went is kept anew when it comes again.
        own.splice(0, own.length, ...own.filter((words) => kept.includes(words)));
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
