import assert from 'node:assert/strict';
import { text as read } from 'node:stream/consumers';
import { beforeEach, test } from 'node:test';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePlan } from '#tests/fixtures/payments.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { writeWhole } from '#tests/fixtures/runs.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve } from '#tests/harness/outside/sandbox.ts';

process.env.WRITER_PASSES = '1';

const OPENING = 'Planning for small teams begins at the door, before the first meeting.';
const OPENINGS = [
  OPENING,
  'Small teams that plan on a whiteboard lose the plan with the cleaner.',
  'Whoever does the planning for small teams needs a pencil more than a calendar.',
];
const BODIES = [
  [
    'Hang one sheet beside the handle, with three lines and a name behind each of them. People who leave read it with the coat on, and people who arrive see at once what was left open.',
    'It stops working when the door stands open all day.',
  ],
  [
    'A caller who asks for a date gets the week, never the hour. The list of promises then fits into one column, and nobody has to look for the yellow note under the keyboard.',
    'Customers from the public sector want the hour all the same.',
  ],
  [
    'Empty the tray on Thursdays with two people and a bin. Whatever both of them would throw away goes, the rest gets a colour, and the colour says who has to ring whom.',
    'With four people it becomes a discussion, so stay with two.',
  ],
];
/** So much that a text is like another one by it alone. */
const MORE = [
  'Whoever takes the last line off the sheet brings a new one from the drawer, already ruled, with the names of the week on its margin. Nobody signs anything: a cross is a promise, a circle is a question, and an empty box is a reason to knock at the next room before lunch.',
  'Offers older than a fortnight turn grey in that list, and grey ones are rung up first thing on Tuesday by the colleague who wrote them. A refusal is worth a note of its own, since it frees somebody for the afternoon and spares the workshop a second round of measuring.',
  'Blue means the supplier, green means the tax adviser, and orange stays in the building until its owner comes back from holiday. Paper without any colour after ten minutes goes into the bin, and so far nobody has climbed in after it, although the photocopies were tempting.',
];
const THESES = ['A sheet at the door', 'Promise weeks to callers', 'Throw things away in pairs'];

let heard: string[] = [];
let ruledOut = '';
let isSame: 'opening' | 'thesis' | 'closing' | 'body' | 'nothing' = 'nothing';
/** Those that were asked first wait for each other. */
let together = Promise.withResolvers<void>();
let waiting = 0;
let mended = 0;

/** What all of them have alike is another one in each text that went back. */
function postOf(nth: number, issueResolved: boolean) {
  if (issueResolved) mended += 1;
  const other = issueResolved ? mended : 0;
  const of = (what: typeof isSame) => (isSame === what ? other : nth);
  const body = isSame === 'body' ? `${BODIES[other]![0]} ${MORE[other]}` : BODIES[nth]![0];
  return {
    content: `${OPENINGS[of('opening')]}\n\n${body}\n\n${BODIES[of('closing')]![1]}`,
    thesis: THESES[of('thesis')],
    hashtags: ['Planning', 'Teams', 'Work'],
    claims: [],
  };
}

process.env.OPENAI_BASE_URL = await serve(async (request, response) => {
  const said = await read(request);
  heard.push(said);
  response.setHeader('Content-Type', 'application/json');
  if (ruledOut && said.includes(ruledOut)) {
    const error = { message: 'No', code: 'content_policy_violation' };
    return response.writeHead(400).end(JSON.stringify({ error }));
  }
  const messages: { role: string; content: string }[] = JSON.parse(said).messages;
  const text = messages.find(({ role }) => role === 'assistant')?.content ?? '';
  const own = isSame === 'body' ? OPENINGS : BODIES.map(([body]) => body!);
  const before = own.findIndex((part) => text.includes(part));
  const nth = before < 0 ? waiting++ : before;
  if (waiting === expected) together.resolve();
  await together.promise;
  const message = { role: 'assistant', content: JSON.stringify(postOf(nth, before >= 0)) };
  return response.end(JSON.stringify({ model: 'test', choices: [{ finish_reason: 'stop', message }] }));
});
const { db } = await testDatabase();
let expected = 3;

beforeEach(() => {
  together = Promise.withResolvers();
  [heard, ruledOut, waiting, mended] = [[], '', 0, 0];
});

async function write(count: number, topics: string[]) {
  expected = count;
  const actor = await makeUser(db, {});
  await makePlan(db, actor, 3, new Date());
  for (const name of topics) await makeTopic(db, actor, name);
  const { id } = await generateNow(db, actor, { count });
  await writeWhole(db, id);
  const run = await db
    .selectFrom('generationRuns')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const posts = await db
    .selectFrom('posts')
    .innerJoin('briefs', 'briefs.postId', 'posts.id')
    .innerJoin('topics', 'topics.id', 'posts.topicId')
    .select(['posts.content', 'briefs.thesis', 'topics.name'])
    .where('posts.runId', '=', id)
    .execute();
  return { run, posts };
}

for (const [what, goesBack] of [
  ['opening', /It opens like an earlier post \(\\"Planning for small teams begins/],
  ['closing', /It closes like an earlier post \(\\"It stops working when the door/],
  ['body', /It is too close to an earlier post/],
  ['thesis', /An earlier post argued this already \(\\"A sheet at the door/],
] as const) {
  test(`of posts written side by side no two have one ${what}`, async () => {
    isSame = what;
    const { run, posts } = await write(3, ['Weekly planning for small teams']);
    assert.deepEqual([run.done, run.failed], [3, 0]);
    const lines = posts.map(({ content }) => content.split('\n'));
    assert.equal(new Set(lines.map(([first]) => first)).size, 3);
    assert.equal(new Set(lines.map((each) => each.at(2))).size, 3);
    assert.equal(new Set(lines.map((each) => each.at(-1))).size, 3);
    assert.equal(new Set(posts.map(({ thesis }) => thesis)).size, 3);
    assert.equal(heard.length, 5);
    assert.match(heard.join('\n'), goesBack);
  });
}

test('posts that have nothing in common are asked for once', async () => {
  isSame = 'nothing';
  await write(3, ['Weekly planning for small teams']);
  assert.equal(heard.length, 3);
});

test('what goes back after its topic was passed over is about the topic that took its place', async () => {
  isSame = 'opening';
  ruledOut = 'Topic: Bad planning';
  const { run, posts } = await write(2, ['Bad planning', 'Good planning for small teams']);
  assert.deepEqual([run.done, run.failed], [2, 0]);
  assert.deepEqual(
    posts.map(({ name }) => name),
    ['Good planning for small teams', 'Good planning for small teams'],
  );
  const back = heard.filter((said) => said.includes('It opens like'));
  assert.equal(back.length, 1);
  assert.match(back[0]!, /Topic: Good planning/);
  assert.match(run.error!, /“Bad planning” was passed over/);
});
