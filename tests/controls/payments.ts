import type { Control } from './control.ts';

const PAYMENTS = 'app/domain/payments';
const PURCHASE = 'tests/domain/payments-purchase.test.ts';
const UPGRADE = 'tests/domain/payments-upgrade.test.ts';
const SCREENSHOTS = 'tests/security/38-screenshots-twice.test.ts';
const DESK = 'tests/domain/payments-desk.test.ts';

/** What is paid, decided and credited, and what stands in the log of admins. */
export const PAYMENT_CONTROLS: Control[] = [
  {
    what: 'two payments of one user wait',
    file: 'migrations/0003-payments.sql',
    from: 'create unique index payments_one_pending_per_user on',
    to: 'create index payments_one_pending_per_user on',
    noticedBy: { test: UPGRADE, named: 'a second pending payment' },
  },
  {
    what: 'one transaction pays twice',
    file: 'migrations/0003-payments.sql',
    from: 'create unique index payments_transaction_id_key on',
    to: 'create index payments_transaction_id_key on',
    noticedBy: { test: UPGRADE, named: 'a second use of a transaction' },
  },
  {
    what: 'nobody is told that a screenshot came before',
    file: `${PAYMENTS}/desk.ts`,
    from: 'sameScreenshot: same.get(row.id) ?? null,',
    to: 'sameScreenshot: same.get(row.reference) ?? null,',
    noticedBy: { test: SCREENSHOTS, named: 'is said of both' },
  },
  {
    what: 'a screenshot in another file is another one',
    file: `${PAYMENTS}/screenshots.ts`,
    from: 'hashes: [hashOf(file), hashOf(bytes)]',
    to: 'hashes: [hashOf(file)]',
    noticedBy: { test: SCREENSHOTS, named: 'is known again when the file is another one' },
  },
  {
    what: 'a payment waits beside another one',
    file: `${PAYMENTS}/submit-proof.ts`,
    from: '    await refuseWhileWaiting(trx, actor.userId);\n',
    to: '',
    noticedBy: {
      test: 'tests/domain/payments-guards.test.ts',
      named: 'for another request is refused while one waits',
    },
  },
  {
    what: 'any amount pays',
    file: `${PAYMENTS}/name-request.ts`,
    from: 'request.amountMinor === amountMinor;\n  const open',
    to: 'request.amountMinor !== -1;\n  const open',
    noticedBy: { test: PURCHASE, named: 'with another amount is refused' },
  },
  {
    what: 'a payment is verified twice',
    file: `${PAYMENTS}/review.ts`,
    from: `  if (payment.status !== 'pending') throw notPending();\n`,
    to: '',
    and: [
      {
        file: `${PAYMENTS}/review.ts`,
        from: `    .where('status', '=', 'pending')\n    .returning('id')`,
        to: `    .returning('id')`,
      },
    ],
    noticedBy: { test: PURCHASE, named: 'three admins verify once' },
  },
  {
    what: 'one admin verifies a large payment',
    file: `${PAYMENTS}/four-eyes.ts`,
    from: 'amountMinor > most',
    to: 'amountMinor < 0',
    noticedBy: { test: DESK, named: 'two different admins' },
  },
  {
    what: 'one admin is both who verify a large payment',
    file: `${PAYMENTS}/four-eyes.ts`,
    from: 'if (firstVerifiedBy === adminId) {',
    to: 'if (false) {',
    noticedBy: { test: DESK, named: 'two different admins' },
  },
  {
    what: 'a large payment that one admin has verified is rejected no more',
    file: `${PAYMENTS}/review.ts`,
    from: 'if (!rejected) throw notPending();',
    to: 'if (!rejected || payment.firstVerifiedBy) throw notPending();',
    noticedBy: { test: DESK, named: 'either admin may still reject' },
  },
  {
    what: 'a payment just at the amount needs two admins',
    file: `${PAYMENTS}/four-eyes.ts`,
    from: 'amountMinor > most',
    to: 'amountMinor >= most',
    noticedBy: { test: 'tests/domain/payments-bounds.test.ts', named: 'not at it' },
  },
  {
    what: 'a credit in another currency is rounded up',
    file: `${PAYMENTS}/credit.ts`,
    from: 'Number(product(over) / product(under))',
    to: 'Number((product(over) + product(under) - 1n) / product(under))',
    noticedBy: { test: UPGRADE, named: 'is rounded down in another currency' },
  },
  {
    what: 'a price with a promotion is rounded up',
    file: `${PAYMENTS}/quote.ts`,
    from: 'Math.floor((fullPriceMinor * (100 - promoPercent)) / 100)',
    to: 'Math.ceil((fullPriceMinor * (100 - promoPercent)) / 100)',
    noticedBy: { test: 'tests/domain/payments-prices.test.ts', named: 'of an odd price round down' },
  },
  {
    what: 'every payment is a first one',
    file: `${PAYMENTS}/quote.ts`,
    from: '(await hasBought(db, actor.userId)) ? 0 : env().PROMO_PERCENT',
    to: 'env().PROMO_PERCENT',
    noticedBy: { test: PURCHASE, named: 'costs half only until' },
  },
  {
    what: 'two plans cover one instant',
    file: 'migrations/0003-payments.sql',
    from: 'exclude using gist (\n    user_id with =, (tstzmultirange',
    to: 'exclude using gist (\n    id with =, (tstzmultirange',
    noticedBy: { test: UPGRADE, named: 'refuses two plans over one instant' },
  },
  {
    what: 'the first of two verifications stands in no log',
    file: `${PAYMENTS}/review.ts`,
    from: '      await recordAdminAction(trx, admin, entry, now);\n',
    to: '',
    noticedBy: {
      test: 'tests/domain/payments-guards.test.ts',
      named: 'the first of two stands in the audit log',
    },
  },
  {
    what: 'a screenshot is kept as it came',
    file: `${PAYMENTS}/clean-picture.ts`,
    from: 'const drawn = line.then(() => draw(bytes));',
    to: 'const drawn = line.then(() => draw(bytes)).then(() => bytes);',
    noticedBy: { test: 'tests/domain/payments-clean-picture.test.ts', named: 'what a camera wrote into it' },
  },
  {
    what: 'a screenshot of any size is drawn',
    file: `${PAYMENTS}/clean-picture.ts`,
    from: '  if (bytes.length > SCREENSHOT_BYTES_MAX) throw tooLarge();\n  if (!isPicture',
    to: '  if (!isPicture',
    noticedBy: { test: 'tests/domain/payments-clean-picture.test.ts', named: 'one that is over 4 MB' },
  },
  {
    what: 'a cell of the ledger is a formula',
    file: 'app/domain/csv-line.ts',
    from: `/^[=+\\-@\\t\\r\\n＝＋－＠]/.test(text) ? \`'\${text}\` : text`,
    to: 'text',
    noticedBy: { test: DESK, named: 'is safe in a spreadsheet' },
  },
  {
    what: 'the log of admins is written over',
    file: 'migrations/0017-operations.sql',
    from: 'create trigger audit_log_stays before update or delete or truncate on audit_log',
    to: 'create trigger audit_log_stays before truncate on audit_log',
    noticedBy: { test: 'tests/domain/audit-log.test.ts', named: 'nobody changes or deletes' },
  },
  {
    what: 'the service may change the log of admins',
    file: 'scripts/rights.ts',
    from: "audit_log: { web: 'r a(-id)'",
    to: "audit_log: { web: 'rawd'",
    noticedBy: { test: 'tests/database-roles.test.ts', named: 'changes what was recorded' },
  },
];
