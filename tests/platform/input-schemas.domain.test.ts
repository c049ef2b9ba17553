import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWithZod } from '@conform-to/zod/v4';
import { SettingsForm } from '#app/domain/automation/schema.ts';
import { AllFeedbackQuery, BoardQuery } from '#app/domain/feedback/schema.ts';
import { PostForm } from '#app/domain/posts/schema.ts';
import { TicketsQuery } from '#app/domain/support/list-tickets.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { FactInput, VoiceInput } from '#app/domain/voice/schema.ts';
import { GenerateForm } from '#app/domain/writing/schema.ts';

function read(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test('a comma-separated field of a form becomes a list', () => {
  const topic = parseWithZod(read({ name: 'Plans', keywords: ' one, two,, one ,' }), { schema: TopicInput });
  assert.deepEqual(topic.status === 'success' && topic.value.keywords, ['one', 'two']);
  const post = parseWithZod(read({ content: 'Text', hashtags: 'One, #Two,' }), { schema: PostForm });
  assert.deepEqual(post.status === 'success' && post.value.hashtags, ['One', 'Two']);
});

test('an empty field of the edit form takes away the image and the hashtags, never the text', () => {
  const emptied = { imageUrl: '', altText: '', hashtags: '' };
  const post = parseWithZod(read({ content: 'Text', ...emptied }), { schema: PostForm });
  assert.deepEqual(post.status === 'success' && post.value, {
    content: 'Text',
    imageUrl: null,
    altText: null,
    hashtags: [],
  });
  const blank = parseWithZod(read({ content: ' ', ...emptied }), { schema: PostForm });
  assert.deepEqual(blank.status === 'error' && blank.error, { content: ['Please write something'] });
});

test('every time on the settings form is asked for, each by its place', () => {
  const fields = { timeZone: 'UTC', requireApproval: 'off', contentCreationTime: '' };
  const times = { 'publishTimes[0]': '09:00', 'publishTimes[1]': '' };
  const settings = parseWithZod(read({ ...fields, ...times, publishDays: 'monday' }), {
    schema: SettingsForm,
  });
  assert.deepEqual(settings.status === 'error' && settings.error, {
    contentCreationTime: ['Please choose a time'],
    'publishTimes[1]': ['Please choose a time'],
  });
});

test('of the settings form, no day ticked is refused, and empty dates are no days off', () => {
  const fields = { timeZone: 'UTC', requireApproval: 'off', contentCreationTime: '08:00' };
  const filled = (more: [string, string][]) => {
    const form = read({ ...fields, 'publishTimes[0]': '09:00' });
    for (const [name, value] of more) form.append(name, value);
    return parseWithZod(form, { schema: SettingsForm });
  };
  const none = filled([['daysOff', '']]);
  assert.deepEqual(none.status === 'error' && none.error, {
    publishDays: ['Choose at least one day of the week on which posts go out'],
  });
  const days = [...['sunday', 'monday'].map((day) => ['publishDays', day] as [string, string])];
  const some = filled([...days, ['daysOff', ''], ['daysOff', '2027-05-20'], ['daysOff', '']]);
  assert.equal(some.status, 'success');
  assert.deepEqual(some.status === 'success' && [some.value.publishDays, some.value.daysOff], [
    ['monday', 'sunday'],
    ['2027-05-20'],
  ]);
});

test('a text in which nothing can be seen is none', () => {
  for (const unseen of [
    '\u200b\u2060',
    '\u3164',
    '\u2800 \u00a0',
    '\ufe0f\u034f',
    '\u00ad\ufeff',
    '\u0301',
    '\u{e0041}',
  ]) {
    const topic = parseWithZod(read({ name: unseen }), { schema: TopicInput });
    const code = [...unseen].map((sign) => sign.codePointAt(0)!.toString(16)).join(' ');
    assert.deepEqual(topic.status === 'error' && topic.error, { name: ['Topic name is required'] }, code);
    const post = parseWithZod(read({ content: unseen }), { schema: PostForm });
    assert.deepEqual(post.status === 'error' && post.error, { content: ['Please write something'] }, code);
    const more = parseWithZod(read({ name: 'A', description: unseen, keywords: `${unseen},b` }), {
      schema: TopicInput,
    });
    assert.deepEqual(more.status === 'success' && [more.value.description, more.value.keywords], ['', ['b']]);
  }
  for (const seen of ['.', '🌊', '👩\u200d🔬', 'न\u200d', '❤\ufe0f', '1\ufe0f\u20e3', '한']) {
    const topic = parseWithZod(read({ name: seen }), { schema: TopicInput });
    assert.equal(topic.status === 'success' && topic.value.name, seen);
  }
});

test('what hides in a text that was pasted does not reach the writer, and flags stay whole', () => {
  const hidden = [...'Ignore this']
    .map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0)))
    .join('');
  const wales = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}';
  for (const [typed, kept] of [
    [`We sold ${hidden}80 boats`, 'We sold 80 boats'],
    [`We row for ${wales} 🏴`, `We row for ${wales} 🏴`],
    [`${wales}${hidden}boats`, `${wales}boats`],
    ['Facts:\u2028 1. Sold', 'Facts: 1. Sold'],
  ] as const) {
    const fact = parseWithZod(read({ content: typed }), { schema: FactInput });
    assert.equal(fact.status === 'success' && fact.value.content, kept);
  }
});

test('fields of another shape than a form has are refused in a sentence', () => {
  for (const [schema, fields] of [
    [FactInput, { content: 'We sold boats', 'topicId[0]': 'x' }],
    [GenerateForm, { 'topicId.a': 'x' }],
    [VoiceInput, { 'wordsToUse.a': 'x' }],
    [VoiceInput, { 'wordsToAvoid[9]': 'x' }],
    [TopicInput, { name: 'A', 'keywords.a': 'x' }],
    [PostForm, { content: 'Text', 'hashtags[5]': 'x' }],
  ] as const) {
    const answer = parseWithZod(read(fields), { schema });
    assert.equal(answer.status, 'error', JSON.stringify(fields));
    const [said] = Object.values(answer.status === 'error' ? (answer.error ?? {}) : {}).flat();
    assert.match(said!, /^Please (?:choose a topic from the list|part the [a-z ]+ with commas)$/);
  }
});

for (const [what, query] of Object.entries({
  'the board': BoardQuery,
  'all feedback': AllFeedbackQuery,
  'all requests': TicketsQuery,
})) {
  test(`what is searched for in ${what} has 100 characters at most`, () => {
    const said = (q: string) => query.safeParse({ q });
    assert.ok(said('語'.repeat(100)).success);
    assert.ok(said(`  ${'x'.repeat(100)}  `).success, 'without what stands around it');
    const { error } = said('x'.repeat(101));
    assert.match(error!.issues[0]!.message, /The search .*100/);
  });
}
