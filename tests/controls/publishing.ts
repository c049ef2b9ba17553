import type { Control } from './control.ts';

const PUBLISHING = 'app/domain/publishing';
const MAY_GO = 'app/domain/queue/may-go.ts';
const ATTEMPT = `${PUBLISHING}/attempt.ts`;
const CONFIRM = `${PUBLISHING}/confirm.ts`;
const FENCES = 'tests/domain/publishing-fences.test.ts';
const TOGETHER = 'tests/domain/publishing-together.test.ts';
const WISHES = 'tests/domain/publishing-wishes.test.ts';

/** Each takes one control away, and something must turn red. */
export const PUBLISHING_CONTROLS: Control[] = [
  {
    what: 'the attempt is written without comparing the lease',
    file: ATTEMPT,
    from: 'else deliveries.lease_token = given.lease_token\n    and deliveries.lease_until',
    to: 'else deliveries.lease_until',
    noticedBy: { test: FENCES, named: 'lease' },
  },
  {
    what: 'a lease that ends during the call is good enough',
    file: ATTEMPT,
    from: `\n    and deliveries.lease_until > \${after(now, LEASE_LEFT_MS)} end`,
    to: ' end',
    noticedBy: { test: FENCES, named: 'lease' },
  },
  {
    what: 'a post with an unresolved attempt has its turn',
    file: MAY_GO,
    from: `and not \${hasOpenAttempt('deliveries.postId')} `,
    to: '',
    noticedBy: { test: 'tests/worker/confirm.test.ts', named: 'lease is over' },
  },
  {
    what: 'what is of somebody who leaves goes out',
    file: MAY_GO,
    from: `not \${isLeaving('deliveries.userId')}`,
    to: 'true',
    noticedBy: { test: 'tests/domain/leaving.test.ts', named: 'stays where it is' },
  },
  {
    what: 'what is of somebody whose account is disabled goes out',
    file: MAY_GO,
    from: ` and not \${isDisabled('deliveries.userId')}`,
    to: '',
    noticedBy: { test: 'tests/domain/disable-account.test.ts', named: 'taken already' },
  },
  {
    what: 'the unique index publications_one_sending is dropped',
    file: 'migrations/0006-publishing.sql',
    from: `create unique index publications_one_sending on publications (post_id) where state = 'sending';\n`,
    to: '',
    noticedBy: { test: FENCES, named: 'two attempts' },
  },
  {
    what: 'the create is retried when no answer came',
    file: `${PUBLISHING}/versions.ts`,
    from: `if (outcome.kind !== 'version' || isLast`,
    to: `if (!['version', 'unknown'].includes(outcome.kind) || isLast`,
    noticedBy: { points: ['F2'] },
  },
  {
    what: 'the seconds that LinkedIn asks to wait are not waited for',
    file: `${PUBLISHING}/postpone.ts`,
    from: '? outcome.retryAfterSeconds : null',
    to: '? null : null',
    noticedBy: { points: ['F8-retry-60'] },
  },
  {
    what: 'all who chose one minute are begun at once',
    file: `${PUBLISHING}/claim.ts`,
    from: '    .where(isToBegin(now))\n',
    to: '',
    noticedBy: { test: 'tests/domain/spread.test.ts', named: 'at the second of its user' },
  },
  {
    what: "the application's daily limit keeps nothing back but what has met it",
    file: `${PUBLISHING}/settle.ts`,
    from: `if (outcome.kind === 'throttled' && outcome.scope === 'app_day') {`,
    to: 'if (false) {',
    noticedBy: { points: ['F8-app-day'] },
  },
  {
    what: 'a text that LinkedIn calls a double of another post is taken for that one',
    file: `${PUBLISHING}/doubles.ts`,
    from: 'return repeated === undefined;',
    to: 'return true;',
    noticedBy: { points: ['F12-resend'] },
  },
  {
    what: 'what may have gone out before a restore goes out when publishing is released',
    file: `${PUBLISHING}/after-restore.ts`,
    from: `if (post?.status !== 'generated' && post?.status !== 'pending') return;`,
    to: 'if (post) return;',
    noticedBy: { points: ['K29'] },
  },
  {
    what: 'what was sent is written over with its answer',
    file: `${PUBLISHING}/settle-together.ts`,
    from: `update publications set state = 'published'`,
    to: `update publications set body = '', state = 'published'`,
    noticedBy: { points: ['F1'] },
  },
  {
    what: 'the network layer retries a create by itself',
    file: 'app/integrations/linkedin-posts.ts',
    from: '    return read(await call());\n  } catch (error) {',
    to: '    return read(await call().catch(call));\n  } catch (error) {',
    noticedBy: { points: ['F2'] },
  },
  {
    what: 'a resend is made for 20 minutes',
    file: CONFIRM,
    from: 'CONFIRM_BEFORE_MS = 9 * 60_000',
    to: 'CONFIRM_BEFORE_MS = 20 * 60_000',
    noticedBy: { points: ['window'] },
  },
  {
    what: 'a resend is made at once',
    file: CONFIRM,
    from: `          .where('publications.startedAt', '<=', after(now, -CONFIRM_AFTER_MS))\n`,
    to: '',
    noticedBy: { test: FENCES, named: 'resend' },
  },
  ...(
    [
      ['held', 'deliveries.held_at is null and ', 'held since its claim'],
      ['not due', ` and deliveries.due_at <= \${now}\n    and not`, 'later time since its claim'],
    ] as const
  ).map(([name, from, named]) => ({
    what: `what is ${name} since its claim has its turn`,
    file: MAY_GO,
    from,
    to: from.endsWith('not') ? ' and not' : '',
    noticedBy: { test: FENCES, named },
  })),
  // A new picture leaves both urns empty, and one that was not kept leaves both addresses the same.
  {
    what: 'the address of the picture is not compared',
    file: ATTEMPT,
    from: `        .where('posts.imageUrl', 'is not distinct from', sql<string | null>\`given.image_url\`)\n`,
    to: '',
    noticedBy: { test: FENCES, named: 'got a picture' },
  },
  {
    what: 'the urn of the picture is not compared',
    file: ATTEMPT,
    from: `        .where('posts.imageUrn', 'is not distinct from', sql<string | null>\`given.image_urn\`)\n`,
    to: '',
    noticedBy: { test: FENCES, named: 'handed over is not kept' },
  },
  {
    what: 'without a lease an attempt is written at what a worker has',
    file: ATTEMPT,
    from: `then \${isFree(now)}`,
    to: 'then true',
    noticedBy: { test: FENCES, named: 'without a lease' },
  },
  {
    what: 'a call that has not begun in time is made',
    file: `${PUBLISHING}/calls.ts`,
    from: 'if (elapsed() > BEGIN_WITHIN_MS) {',
    to: 'if (false) {',
    noticedBy: { test: FENCES, named: 'not begun in time' },
  },
  {
    what: 'the next version is called however late it is',
    file: `${PUBLISHING}/calls.ts`,
    from: '() => elapsed() <= BEGIN_WITHIN_MS,',
    to: '() => true,',
    noticedBy: { test: FENCES, named: 'version was refused' },
  },
  {
    what: 'what was prepared for one member is sent by the connection of another',
    file: ATTEMPT,
    from: `        .where(isMember('posts.userId', sql\`given.author_urn\`))\n`,
    to: '',
    noticedBy: { test: FENCES, named: 'connected no more' },
  },
  {
    what: 'the attempt of one member is confirmed by the connection of another',
    file: CONFIRM,
    from: `          .where(isMember('posts.userId', sql\`publications.author_urn\`))\n`,
    to: '',
    noticedBy: { test: FENCES, named: 'connected no more' },
  },
  {
    what: 'a clock of the database that was set back is taken for right',
    file: `${PUBLISHING}/facts.ts`,
    from: `\n    and \${clockGoneBack} <= \${CLOCK_WITHIN_MS}`,
    to: '',
    noticedBy: { test: FENCES, named: 'set back' },
  },
  {
    what: 'what was under way when the clock was set back is resent',
    file: CONFIRM,
    from: `          .where(({ not }) => not(isDoubted('publications.startedAt')))\n`,
    to: '',
    noticedBy: { test: 'tests/domain/clock-steps.test.ts', named: 'has caught up' },
  },
  {
    what: 'attempts are given up by a wrong clock',
    file: `${PUBLISHING}/sweep.ts`,
    from: 'if (!(await isClockSound(db))) return;',
    to: '',
    noticedBy: { test: FENCES, named: 'set back' },
  },
  {
    what: 'a clock that was set ahead lets a resend go early',
    file: CONFIRM,
    from: '          .where(isNotSetAhead(db))\n',
    to: '',
    noticedBy: { test: 'tests/domain/clock-steps.test.ts', named: 'is not resent early' },
  },
  {
    what: 'a worker that has just begun resends',
    file: CONFIRM,
    from: '  if (!hasWatched(db)) return undefined;\n',
    to: '',
    noticedBy: { test: 'tests/domain/clock-steps.test.ts', named: 'resends nothing in its first minute' },
  },
  {
    what: 'a worker that has just begun gives up the calls of others',
    file: `${PUBLISHING}/sweep.ts`,
    from: '  if (!hasWatched(db)) return;\n',
    to: '',
    noticedBy: { test: 'tests/domain/clock-steps.test.ts', named: 'gives up no call in its first minute' },
  },
  {
    what: 'what LinkedIn left open is closed by a failure of ours',
    file: 'app/domain/queue/standing.ts',
    from: `.where('isUnconfirmed', '=', true).execute();`,
    to: `.where('isUnconfirmed', 'is', null).execute();`,
    noticedBy: { test: 'tests/domain/late-by-hand.test.ts', named: 'did not confirm' },
  },
  {
    what: 'the wishes are not locked for a resend',
    file: CONFIRM,
    from: '    await lockWishes(trx, userId);\n',
    to: '',
    noticedBy: { test: WISHES, named: 'while a resend is written' },
  },
  ...(
    [
      ['with a picture', `'publications.imageUrn', 'is', null`, 'with a picture'],
      ['that is settled', `'publications.resolvedAt', 'is', null`, 'nobody knows'],
      ['that is handed to its owner', `'publications.state', '=', 'unknown'`, 'nobody knows'],
    ] as const
  ).map(([which, condition, named]) => ({
    what: `an attempt ${which} is resent`,
    file: CONFIRM,
    from: `          .where(${condition})\n`,
    to: '',
    noticedBy: { test: FENCES, named },
  })),
  {
    what: 'a resend does not ask mayGo at all',
    file: CONFIRM,
    from: '          .where(mayGo(now))\n',
    to: '',
    noticedBy: { test: FENCES, named: 'for an owner who has' },
  },
  ...(
    [
      ['isSameDatabase', '.where(isSameDatabase(known))', 'tail of the database'],
      ['isClockRight', '.where(isClockRight())', 'clock'],
    ] as const
  ).flatMap(([name, text, named]) =>
    [ATTEMPT, CONFIRM].map((file) => ({
      what: `${name} is not asked in ${file}`,
      file,
      from: text,
      to: '',
      noticedBy: { test: FENCES, named },
    })),
  ),
  {
    what: 'the publishing switch does not hold what has its turn (last look, tick)',
    file: MAY_GO,
    from: ` and not \${isPublishingPaused(now)})`,
    to: ')',
    noticedBy: { points: ['K30-switch'] },
  },
  {
    what: 'the publishing switch does not hold resends',
    file: CONFIRM,
    from: '          .where(({ not }) => not(isPublishingPaused(now)))\n',
    to: '',
    noticedBy: { test: FENCES, named: 'resend' },
  },
  {
    what: 'late posts of one user go at once',
    file: MAY_GO,
    from: `sql\`(\${hasComeUp(now)} and not \${waitsItsTurn(now, lateness())})`,
    to: `sql\`(\${hasComeUp(now)})`,
    noticedBy: { test: 'tests/domain/downtime.test.ts', named: 'after 59 minutes without a worker and 10' },
  },
  {
    what: 'a late post does not let earlier ones go first',
    file: 'app/domain/queue/facts.ts',
    from: `(select true from \${ahead(now, lateness)} limit 1) is true\n        or `,
    to: '',
    noticedBy: { test: 'tests/domain/spacing.test.ts', named: 'still has to go' },
  },
  {
    what: 'a late post goes right after another one',
    file: 'app/domain/queue/facts.ts',
    from: `\n        or (\${lastOutAt(now)} > \${after(now, -lateness.apartMs)}) is true`,
    to: '',
    noticedBy: { test: 'tests/domain/spacing.test.ts', named: 'went out 14 minutes ago' },
  },
  {
    what: 'the tick does not look at the publishing switch',
    file: MAY_GO,
    from: `sql\`(\${isItsTurn(now)} and \${isUntaken(now)})`,
    to: `sql\`(deliveries.held_at is null and deliveries.due_at <= \${now} and \${isUntaken(now)})`,
    noticedBy: { test: 'tests/domain/queue-due.test.ts', named: 'stopped for everybody' },
  },
  ...(
    [
      ['unapproved', `(deliveries.status = 'generated') is true and `, ''],
      ['disconnected', `  connection: (now: Instant) => isConnected('deliveries.userId', now),\n`, ''],
      ['missed', `  choice: () => sql<boolean>\`not \${waitsForChoice}\`,\n`, ''],
      ['paused', `\${isAutomationOn('deliveries.userId')}\n    and `, ''],
      ['unpaid', ` and \${planCovers('deliveries.userId', now)}`, ''],
    ] as const
  ).map(([name, from, to]) => ({
    what: `what is ${name} may go`,
    file: MAY_GO,
    from,
    to,
    noticedBy: { points: [`K30-${name}`] },
  })),
  {
    what: 'what is deleted may go',
    file: MAY_GO,
    from: ' and posts.deleted_at is null)',
    to: ')',
    // At a post whose picture is loaded the statement that keeps the picture notices as well.
    noticedBy: { test: FENCES, named: 'deleted after its claim' },
  },
  {
    what: 'the last look does not ask mayGo at all',
    file: ATTEMPT,
    from: '        .where(mayGo(now))\n',
    to: '',
    noticedBy: { points: ['K30-paused'] },
  },
  {
    what: 'the wishes are not locked',
    file: ATTEMPT,
    from: '    await lockWishes(trx, claim.userId);\n',
    to: '',
    noticedBy: { test: WISHES, named: 'that is being' },
  },
  {
    what: 'what is sent together is sent while its owner is saving a wish',
    file: `${PUBLISHING}/together.ts`,
    from: 'free.has(userId) ? accesses.get(userId) : undefined',
    to: 'accesses.get(userId)',
    noticedBy: { test: TOGETHER, named: 'that is being saved' },
  },
  {
    what: 'what is sent together does not wait for the switch that is being turned',
    file: `${PUBLISHING}/together.ts`,
    from: '    await shareSwitch(trx);\n',
    to: '',
    noticedBy: { test: TOGETHER, named: 'that is being turned' },
  },
  {
    what: 'answers that cannot be written together are given up',
    file: `${PUBLISHING}/answers.ts`,
    from: 'else await keepAlone(db, answer, file);',
    to: '',
    noticedBy: { test: TOGETHER, named: 'address that another post has' },
  },
  {
    what: 'an answer that cannot be written at once is given up',
    file: `${PUBLISHING}/answers.ts`,
    from: '      if (stopping.aborted) throw error;',
    to: '      throw error;',
    noticedBy: { points: ['D6'] },
  },
  {
    what: 'an answer that cannot be written is not kept beside',
    file: `${PUBLISHING}/answers.ts`,
    from: 'isWritten ||= writeDown(publication, outcome);',
    to: 'isWritten = true;',
    noticedBy: { points: ['D6-killed'] },
  },
  {
    what: 'answers that come late are ignored',
    file: `${PUBLISHING}/outcome.ts`,
    from: `[...UNSETTLED, 'held']`,
    to: 'UNSETTLED',
    noticedBy: { test: 'tests/domain/publishing-answers.test.ts', named: 'after the post was handed' },
  },
];
