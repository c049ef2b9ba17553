import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { sources } from './architecture-imports.ts';
import { boundsOf, listsOf, type Said, textsOf } from './architecture-texts.ts';

const files = globSync('app/domain/**/limits.ts', { cwd: ROOT }).sort();
const LIMITS: Record<string, unknown> = Object.assign(
  {},
  ...(await Promise.all(files.map((file) => import(path.join(ROOT, file))))),
);

const N =
  '(?:\\d[\\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:twenty|thirty|forty|fifty|sixty|hundred|thousand)(?:-\\w+)?)';

/**
 * How a text speaks of each limit, whatever figure it names; null when no text does. A limit that is not
 * listed here fails the test, and so does one that no longer exists.
 */
const SPOKEN: Record<string, RegExp | null> = {
  NAME_MAX: null,
  EMAIL_MAX: null,
  PROVIDER_NAMES: null,
  PASSWORD_MIN: new RegExp(`${N} characters`, 'i'),
  PASSWORD_MAX: null,
  CODE_LENGTH: new RegExp(`${N}-digit`, 'i'),
  CODE_MINUTES: new RegExp(`valid for ${N} minutes`, 'i'),
  TOKEN_SCOPES: null,
  TOKEN_NAME_MAX: null,
  TOKENS_MAX: new RegExp(`${N} tokens`, 'i'),
  SESSIONS_MAX: null,
  SESSIONS_SHOWN: null,
  USER_SEARCH_MAX: null,
  USER_FILTERS: null,
  DISABLE_REASON_MAX: null,
  EXTENSION_DAYS_MAX: null,
  EXTENSION_REASON_MAX: null,
  TOKEN_DAYS_MAX: new RegExp(`1 to ${N} days`, 'i'),
  MAIL_CHOICES: null,
  DELETION_DAYS: new RegExp(`(?:deleted|delete it) (?:in|for|within|after) ${N} days|waits ${N} days`, 'i'),
  VISIT_ADDRESS_DAYS: new RegExp(`first part alone after ${N} days`, 'i'),
  VISIT_DAYS: new RegExp(`(?:visit|it) (?:itself )?goes after ${N} days`, 'i'),
  CLICK_DAYS: new RegExp(`browser, for ${N} days`, 'i'),
  RECOVERY_CODES: new RegExp(`${N} recovery codes`, 'i'),
  RECOVERY_CODES_FEW: null,
  SECOND_STEP_TRIES: null,
  SECOND_STEP_MINUTES: null,
  SECOND_STEP_WITHIN_MINUTES: null,
  WEBHOOKS_MAX: new RegExp(`${N} webhooks`, 'i'),
  WEBHOOK_EVENTS: null,
  WEBHOOK_EVENT_NAMES: null,
  WEBHOOK_URL_MAX: null,
  OLD_SECRET_HOURS: null,
  WEBHOOK_SECONDS: null,
  RETRY_MINUTES: null,
  DISABLED_AFTER_DAYS: null,
  DELIVERY_DAYS: null,
  DELIVERIES_PER_DAY_MAX: null,
  PASSKEYS_MAX: new RegExp(`at most ${N} passkeys`, 'i'),
  PASSKEY_NAME_MAX: null,
  WEEKDAYS: null,
  DAYS_OFF_MAX: new RegExp(`${N} days off`, 'i'),
  DAYS_OFF_AHEAD_YEARS: new RegExp(`${N} years ahead`, 'i'),
  spellTime: null,
  changedSince: null,
  NEXT_TIMES: new RegExp(`next ${N} (?:publish )?times`, 'i'),
  POSTS_PER_DAY: null,
  POSTS_PER_DAY_MAX: new RegExp(`\\b1 to ${N}\\b|${N} (?:posts|publish times) (?:a|per|each) day`, 'i'),
  TRANSACTION_ID_MIN: new RegExp(`${N} to ${N} letters`, 'i'),
  TRANSACTION_ID_MAX: new RegExp(`(?:most|to) ${N} letters`, 'i'),
  TRANSACTION_ID_TYPED_MAX: null,
  REJECT_REASON_MAX: null,
  VERIFIED_WITHIN_HOURS: new RegExp(`within ${N} hours|^${N} h$`, 'i'),
  REQUEST_GOOD_HOURS: new RegExp(`\\b${N} hours`, 'i'),
  LATE_PAYMENT_DAYS: null,
  RENEW_BEFORE_DAYS: null,
  PAYMENT_STATUSES: null,
  REJECT_REASONS: null,
  SEARCH_MAX: null,
  LATE_AFTER_HOURS: new RegExp(`over ${N} hours`, 'i'),
  SCREENSHOT_BYTES_MAX: null,
  TICKET_CATEGORIES: null,
  TICKET_STATUSES: null,
  TICKET_SUBJECT_MAX: null,
  TICKET_MESSAGE_MAX: null,
  TICKET_REPLY_MAX: null,
  TICKET_REPLIES_MAX: null,
  SAVED_REPLIES_MAX: null,
  SAVED_REPLY_TITLE_MAX: null,
  RESPONSE_HOURS: new RegExp(`(?:answer\\w*|reply|replies) within ${N} hours`, 'i'),
  TICKET_LINK_DAYS: new RegExp(`link(?:s)? works? for ${N} days`, 'i'),
  TICKET_MAILS_PER_HOUR: null,
  TICKET_SEARCH_MAX: null,
  MAIL_RETENTION_DAYS: new RegExp(`forgotten after ${N} days`, 'i'),
  ACCOUNT_MAIL_RETENTION_DAYS: new RegExp(`mailed you after ${N}`, 'i'),
  DEAD_JOB_RETENTION_DAYS: null,
  USAGE_KEPT_DAYS: null,
  TICKET_RETENTION_DAYS: new RegExp(`${N} days after the last word`, 'i'),
  POST_MAX: /\b\d,\d{3}\b/,
  POST_NEARLY_MAX: null,
  HOOK_MAX: null,
  HOOK_LINES: null,
  HASHTAGS_MAX: new RegExp(`${N} hashtags`, 'i'),
  HASHTAG_LENGTH_MAX: null,
  IMAGE_URL_MAX: null,
  INCOMPLETE_CODE: null,
  ALT_TEXT_MAX: null,
  POST_LINK_MAX: null,
  SHOWN_TEXT_MAX: new RegExp(`first ${N} characters`, 'i'),
  SHOWN_HASHTAGS: new RegExp(`${N} of its hashtags`, 'i'),
  TOP_POSTS_MAX: null,
  VERSIONS_MAX: new RegExp(`${N} other texts`, 'i'),
  ENGAGEMENT_MAX: null,
  ENGAGEMENTS: null,
  POST_WAITS: null,
  POST_STATUSES: null,
  WAITING_STATUSES: null,
  POST_LISTS: null,
  POST_WORDS: null,
  TONES: new RegExp(`${N} tones`, 'i'),
  APPROVAL_WORDS: null,
  USUAL_TONE: null,
  TOPIC_NAME_MAX: null,
  TOPIC_FAILURES_MAX: new RegExp(`${N} (?:failures|times) in a row`, 'i'),
  TOPIC_PAUSE_MONTHS_MAX: new RegExp(`next ${N} months`, 'i'),
  TOPIC_DESCRIPTION_MAX: null,
  TOPIC_KEYWORDS_MAX: new RegExp(`${N} keywords`, 'i'),
  TOPIC_KEYWORD_LENGTH_MAX: null,
  TOPICS_MAX: new RegExp(`at most ${N} topics`, 'i'),
  POSTS_PER_RUN_MAX: new RegExp(`${N} posts at (?:a time|once)`, 'i'),
  FREE_POSTS_A_MONTH: new RegExp(`${N} (?:free )?posts (?:a|per|each) month`, 'i'),
  APPROVAL_LINK_DAYS: new RegExp(`link(?:s)? works? (?:for|until) ${N} days`, 'i'),
  APPROVED_IN_A_ROW: new RegExp(`last ${N} posts`, 'i'),
  CHOOSE_WITHIN_DAYS: new RegExp(`${N} days to choose|again ${N} days ago`, 'i'),
  MOVE_WITHIN_DAYS: new RegExp(`within the next ${N} days`, 'i'),
  RESTORE_WITHIN_DAYS: new RegExp(`within ${N} days`, 'i'),
  WARN_BEFORE_DAYS: null,
  PAUSE_REASON_MAX: null,
  BAR_REASON_MAX: null,
  SHOWN_PICTURE_BYTES_MAX: null,
  SHOWN_PICTURE_SIDE: null,
  FAILED_TESTS_MAX: new RegExp(`${N} test posts`, 'i'),
  REFUSALS_A_DAY_MAX: new RegExp(`refused this post ${N} times`, 'i'),
  RUNS_A_DAY_MAX: null,
  FREE_REWRITES_A_DAY_MAX: new RegExp(`${N} times a day`, 'i'),
  REWRITES_A_DAY_MAX: null,
  FREE_CALLS_A_DAY_MAX: null,
  FREE_TOKENS_A_DAY_MAX: null,
  PLAN_CALLS_A_DAY_MAX: null,
  PLAN_TOKENS_A_DAY_MAX: null,
  INSTRUCTION_MAX: null,
  INSTRUCTIONS: null,
  SUGGESTED_MAX: null,
  FACT_KINDS: null,
  FACT_MAX: null,
  FACTS_MAX: new RegExp(`${N} facts`, 'i'),
  AUDIENCE_MAX: null,
  HEADLINE_MAX: null,
  VOICE_NOTES_MAX: null,
  VOICE_WORDS_MAX: null,
  VOICE_WORD_LENGTH_MAX: null,
  EXAMPLES_MAX: new RegExp(`${N} examples`, 'i'),
  EXAMPLE_MIN: null,
  LANGUAGES: null,
  INTERVIEW: new RegExp(`${N} questions`, 'i'),
  POSTS_AN_HOUR_MAX: new RegExp(`${N} posts (?:an|per) hour`, 'i'),
  FEEDBACK_TYPES: null,
  FEEDBACK_STATUSES: null,
  FEEDBACK_GROUPS: null,
  FEEDBACK_GROUP_WORDS: null,
  FEEDBACK_TITLE_MAX: null,
  FEEDBACK_DESCRIPTION_MAX: null,
  FEEDBACK_SEARCH_MAX: null,
  RATING_MAX: new RegExp(`rate from 1 to ${N}|of ${N} stars`, 'i'),
  FEEDBACK_PER_DAY: new RegExp(`sent ${N} within a day`, 'i'),
  SIMILAR_MAX: null,
};

/** What people read of us: pages, components and mails. */
const READ = sources.filter((file) =>
  /^app\/(?:routes|ui)\/|^app\/domain\/(?:.+\/mails\.ts$|email\/templates\/)/.test(file),
);
/** Refusals are read, too, wherever they are made. What the writer is told is read by no person. */
const ANSWERING = sources.filter(
  (file) =>
    /^app\/(?:domain|http)\//.test(file) &&
    !READ.includes(file) &&
    !/\/writing\/(?:.*\/)?(?:gates\/.*|stock\/.*|prompt|draft)\.ts$/.test(file),
);

const figures = new Set(Object.values(LIMITS).filter((value) => typeof value === 'number'));
const lists = Object.values(LIMITS).filter((value) => Array.isArray(value)) as unknown[][];
const tones = lists.flat().filter((item) => typeof item === 'string');

const spokenIn = ({ text }: Said) => Object.values(SPOKEN).some((words) => words?.test(text));

/** A figure in an input's bound is a rule. Elsewhere only one that is a limit, and a long one. */
const isRule = ({ kind, figures: own }: ReturnType<typeof boundsOf>[number]) =>
  kind === 'input' || own.some((figure) => figures.has(figure) && (kind === 'name' || figure >= 1_000));

/** The numbers or words of a limit, written down again. */
const isCopy = ({ items }: { items: string[] }) =>
  lists.some((list) => list.every((item) => items.includes(String(item)))) ||
  items.filter((item) => tones.includes(item)).length > 1;

const tell = ({ file, line, text }: Said) => `${file}:${line} ${text.replaceAll('\u0000', '…')}`;

/** What a file repeats of the limits. */
const copiesIn = (file: string, source?: string): string[] => [
  ...textsOf(file, source).filter(spokenIn).map(tell),
  ...boundsOf(file, source)
    .filter((bound) => !(bound.kind === 'name' && file.startsWith('app/ui/')) && isRule(bound))
    .map(tell),
  ...listsOf(file, source).filter(isCopy).map(tell),
];

test('every limit says how texts speak of it', () => {
  assert.deepEqual(Object.keys(SPOKEN).sort(), Object.keys(LIMITS).sort());
});

test('no page, component or mail repeats a limit', () => {
  assert.deepEqual(
    READ.flatMap((file) => copiesIn(file)),
    [],
  );
});

test('no refusal repeats a limit', () => {
  assert.deepEqual(
    ANSWERING.flatMap((file) =>
      textsOf(file)
        .filter((said) => said.text !== '2-digit' && spokenIn(said))
        .map(tell),
    ),
    [],
  );
});

test('a repeated limit is found in every shape in which a page can write it', () => {
  for (const source of [
    '<p>Three posts a month are free.</p>',
    '<p>\n  It is valid for\n  10{" "}\n  minutes.\n</p>',
    '<p>We sent a <b>six-digit</b> code</p>',
    'const lead = "Begin with 3 free posts a month";',
    '<p>At least {6} characters</p>',
    '<p>Up to twenty keywords</p>',
    '<p>Checked within twenty-four hours</p>',
    'const answer = "1 to " + 5 + " posts a day";',
    '<p>{length} of 3,000</p>',
    'const MOST = 3_000;',
    'const isLong = content.length > 3_000;',
    '<TextField maxLength={60} />',
    '<input max={5} />',
    'useFormOf(result, { constraint: { name: { required: true, maxLength: 100 } } });',
    'const COUNTS = [1, 2, 3, 4, 5];',
    "const TONES = ['Professional', 'Casual', 'Inspirational'];",
    'const facts = [{ figure: "24 h", text: "at most" }];',
  ]) {
    assert.notDeepEqual(copiesIn('app/routes/example.tsx', source), [], source);
  }
});

test('what only looks like a limit is left alone', () => {
  for (const source of [
    '<p>{FREE_POSTS_A_MONTH} posts a month are free.</p>',
    '<p>{count === 1 ? "1 post a day" : count + " posts a day"}</p>',
    'const usual = "UPI: usually 12 digits.";',
    '<p>Valid for {CODE_MINUTES}{" "}minutes</p>',
    '<Progress value={done} max={3} label="1 of 3 steps done" />',
    'const short = line.length > 100 ? line.slice(0, 99) : line;',
    'const rows = [1, 2];',
    '<div className="grid-cols-3 lg:max-w-[3000px]" />',
  ]) {
    assert.deepEqual(copiesIn('app/routes/example.tsx', source), [], source);
  }
});
