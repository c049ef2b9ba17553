import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllFeedbackQuery, BoardQuery } from '#app/domain/feedback/schema.ts';
import { TicketsQuery } from '#app/domain/support/list-tickets.ts';

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
