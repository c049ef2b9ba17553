import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWithZod } from '@conform-to/zod/v4';
import { SettingsForm } from '#app/domain/automation/schema.ts';
import { PostForm } from '#app/domain/posts/schema.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';

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
