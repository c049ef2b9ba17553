import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanIn, weekOf } from '#app/routes/posts/calendar/range.ts';

const TODAY = '2026-11-24';
const spanOf = (search: string, today = TODAY) => spanIn(new URLSearchParams(search), today);

test('a month begins on the Monday of its first week and ends with the Sunday of its last', () => {
  const { first, count, title, month, previous, next, isNow } = spanOf('view=month&month=2026-11')!;
  assert.deepEqual([first, count, title, month, isNow], ['2026-10-26', 42, 'November 2026', '2026-11', true]);
  assert.deepEqual(previous, { search: 'view=month&month=2026-10', label: 'October 2026' });
  assert.deepEqual(next, { search: 'view=month&month=2026-12', label: 'December 2026' });
  assert.deepEqual(
    [spanOf('view=month&month=2027-02')!.first, spanOf('view=month&month=2027-02')!.count],
    ['2027-02-01', 28],
  );
});

test('a week is named by its days, and has the number that its year gives it', () => {
  const week = (name: string) => {
    const { first, title, search } = spanOf(`view=week&week=${name}`)!;
    return [first, title, search];
  };
  assert.deepEqual(week('2026-W48'), ['2026-11-23', 'Nov 23 – 29, 2026', 'view=week&week=2026-W48']);
  assert.deepEqual(week('2026-W49'), ['2026-11-30', 'Nov 30 – Dec 6, 2026', 'view=week&week=2026-W49']);
  assert.deepEqual(week('2026-W53'), ['2026-12-28', 'Dec 28, 2026 – Jan 3, 2027', 'view=week&week=2026-W53']);
  assert.equal(spanOf('view=week&week=2026-W53')!.next!.search, 'view=week&week=2027-W01');
  assert.equal(spanOf('view=week', '2027-01-01')!.search, 'view=week&week=2026-W53');
});

test('an address that names no month or week shows the present one, and one without a view the list', () => {
  for (const month of ['', '2026-13', '2026-00', '1999-12', '3000-01', '2026-1', 'x', '2026-11-24'])
    assert.equal(spanOf(`view=month&month=${month}`)!.title, 'November 2026', month);
  for (const week of ['', '2027-W53', '2026-W00', '2026-W54', '2026-48', 'x'])
    assert.equal(spanOf(`view=week&week=${week}`)!.title, 'Nov 23 – 29, 2026', week);
  for (const search of ['', 'view=list', 'view=year', 'month=2026-11'])
    assert.equal(spanOf(search), null, search);
});

test('the first and the last month and week lead no further', () => {
  assert.equal(spanOf('view=month&month=2000-01')!.previous, null);
  assert.equal(spanOf('view=month&month=2999-12')!.next, null);
  assert.equal(spanOf('view=week&week=2000-W01')!.previous?.search ?? null, null);
  assert.ok(spanOf('view=month&month=2999-11')!.next);
});

test('the views lead to the same days', () => {
  assert.deepEqual(spanOf('view=month&month=2027-03')!.beside, { week: '2027-W09', month: '2027-03' });
  assert.deepEqual(spanOf('view=month&month=2026-11')!.beside, { week: '2026-W48', month: '2026-11' });
  assert.deepEqual(spanOf('view=week&week=2026-W49')!.beside, { week: '2026-W49', month: '2026-11' });
});

test('for 60 years each day lies in the week of the ISO calendar', () => {
  for (let day = Temporal.PlainDate.from('2000-01-01'); day.year < 2060; day = day.add({ days: 1 })) {
    const week = `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, '0')}`;
    assert.equal(weekOf(day.toString()), week, day.toString());
  }
});
