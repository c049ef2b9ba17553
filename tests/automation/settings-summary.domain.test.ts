import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import { daysLabel, timesLabel, writingLabel } from '#app/routes/dashboard/settings/labels.ts';

const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = WEEKDAYS;

test('the days of the week are said as people say them, in whatever order they were chosen', () => {
  for (const [chosen, words] of [
    [WEEKDAYS, 'Every day'],
    [[friday, monday, tuesday, wednesday, thursday], 'Mondays to Fridays'],
    [[tuesday, wednesday, thursday, friday, saturday, sunday], 'Tuesdays to Sundays'],
    [[monday, tuesday, wednesday, thursday, friday, sunday], 'Every day but Saturdays'],
    [[saturday, sunday], 'Saturdays and Sundays'],
    [[monday, wednesday, friday], 'Mondays, Wednesdays and Fridays'],
    [[sunday], 'Sundays'],
  ] as const) {
    assert.equal(daysLabel(chosen), words);
  }
});

test('the settings are said in two lines', () => {
  const rules = {
    contentCreationTime: '07:00',
    publishTimes: ['09:07', '17:23'],
    publishDays: [monday, tuesday, wednesday, thursday, friday],
    requireApproval: true,
    timeZone: 'America/New_York',
  };
  assert.equal(timesLabel(rules), 'Mondays to Fridays, 09:07 and 17:23, America/New York');
  assert.equal(writingLabel(rules), 'Two posts a day, written at 07:00 · you approve each');
  const one = { ...rules, publishTimes: ['09:07'], requireApproval: false };
  assert.equal(writingLabel(one), 'One post a day, written at 07:00 · it goes out by itself');
  assert.match(writingLabel({ ...rules, requireApproval: false }), / · they go out by themselves$/);
});
