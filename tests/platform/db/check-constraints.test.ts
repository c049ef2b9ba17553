import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DISABLE_REASON_MAX, EMAIL_MAX, NAME_MAX, PASSKEY_NAME_MAX } from '#app/domain/accounts/limits.ts';
import { DAYS_OFF_MAX, WEEKDAYS } from '#app/domain/automation/limits.ts';
import { FEEDBACK_DESCRIPTION_MAX, FEEDBACK_TITLE_MAX, RATING_MAX } from '#app/domain/feedback/limits.ts';
import {
  POSTS_PER_DAY,
  SCREENSHOT_BYTES_MAX,
  TRANSACTION_ID_MAX,
  TRANSACTION_ID_MIN,
} from '#app/domain/payments/limits.ts';
import { BAR_REASON_MAX, ENGAGEMENT_MAX, SHOWN_PICTURE_BYTES_MAX } from '#app/domain/posts/limits.ts';
import {
  SAVED_REPLY_TITLE_MAX,
  TICKET_MESSAGE_MAX,
  TICKET_REPLY_MAX,
  TICKET_SUBJECT_MAX,
} from '#app/domain/support/limits.ts';
import { APPROVAL_WORDS, TONES, USUAL_TONE } from '#app/domain/topics/limits.ts';
import { SESSION_ID_MAX } from '#app/domain/visits/schema.ts';
import { AUDIENCE_MAX, FACT_KINDS, FACT_MAX, INTERVIEW, VOICE_WORDS_MAX } from '#app/domain/voice/limits.ts';
import { WEBHOOK_URL_MAX } from '#app/domain/webhooks/limits.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

const { rows } = await sql<{ name: string; check: string }>`
  select conname as name, pg_get_constraintdef(oid) as check from pg_constraint
  where contype = 'c' and connamespace = 'public'::regnamespace`.execute(db);

/** The bounds that a check constraint sets: `>= 1 AND <= 5`, `{6,35}`. */
const boundsOf = (check: string) =>
  [...check.matchAll(/[<>]= (\d+)|\{(\d+),(\d+)\}/g)].flatMap((found) =>
    found.slice(1).filter(Boolean).map(Number),
  );

const EACH_DAY = [POSTS_PER_DAY[0], POSTS_PER_DAY.at(-1)];
const BOUNDS: Record<string, (number | undefined)[]> = {
  prices_posts_per_day_range: EACH_DAY,
  payments_posts_per_day_range: EACH_DAY,
  payments_amount_is_not_negative: [0],
  payments_worth_is_not_negative: [0],
  payment_requests_amounts_are_not_negative: [0, 0],
  payment_requests_posts_per_day_range: EACH_DAY,
  payment_screenshots_bytes_range: [1, SCREENSHOT_BYTES_MAX],
  payments_transaction_id_is_canonical: [TRANSACTION_ID_MIN, TRANSACTION_ID_MAX],
  automation_settings_publish_times_count: EACH_DAY,
  automation_settings_publish_days_are_days: [1, WEEKDAYS.length],
  automation_settings_days_off_count: [DAYS_OFF_MAX],
  engagements_likes_range: [0, ENGAGEMENT_MAX],
  engagements_comments_range: [0, ENGAGEMENT_MAX],
  engagements_shares_range: [0, ENGAGEMENT_MAX],
  engagements_impressions_range: [0, ENGAGEMENT_MAX],
  landing_exclusions_reason_length: [1, BAR_REASON_MAX],
  landing_pictures_bytes_range: [1, SHOWN_PICTURE_BYTES_MAX],
  topics_failures_check: [0],
  linkedin_days_calls_check: [0],
  writer_calls_calls_check: [0],
  writer_days_calls_check: [0],
  facts_question_range: [1, INTERVIEW.length],
  facts_content_length: [FACT_MAX],
  disabled_accounts_reason_length: [1, DISABLE_REASON_MAX],
  passkeys_name_fits: [1, PASSKEY_NAME_MAX],
  support_tickets_are_bounded: [NAME_MAX, EMAIL_MAX, TICKET_SUBJECT_MAX, TICKET_MESSAGE_MAX],
  support_replies_are_bounded: [TICKET_REPLY_MAX],
  saved_replies_are_bounded: [1, SAVED_REPLY_TITLE_MAX, 1, TICKET_REPLY_MAX],
  feedback_title_length: [1, FEEDBACK_TITLE_MAX],
  feedback_description_length: [1, FEEDBACK_DESCRIPTION_MAX],
  feedback_rating_range: [1, RATING_MAX],
  feedback_upvotes_are_not_negative: [0],
  visits_session_id_check: [1, SESSION_ID_MAX],
  webhook_endpoints_url_check: [1, WEBHOOK_URL_MAX],
  voices_audience_length: [AUDIENCE_MAX],
  voices_words_to_use_count: [VOICE_WORDS_MAX],
  voices_words_to_avoid_count: [VOICE_WORDS_MAX],
};

test('the check constraints set the bounds of the limits', () => {
  const set = rows.map(({ name, check }) => [name, boundsOf(check)] as const);
  assert.deepEqual(Object.fromEntries(set.filter(([, bounds]) => bounds.length)), BOUNDS);
});

test('the database knows the days of the week', async () => {
  const { check } = rows.find(({ name }) => name === 'automation_settings_publish_days_are_days')!;
  assert.deepEqual(
    [...check.matchAll(/'(\w+)'::text/g)].map((found) => found[1]!),
    [...WEEKDAYS],
  );
});

test('the database knows the tones that a topic can have', async () => {
  const { check } = rows.find(({ name }) => name === 'topics_tone_is_known')!;
  const known = [...check.matchAll(/'(\w+)'::text/g)].map((found) => found[1]!);
  assert.deepEqual(known.sort(), [...TONES].sort());
  const usual = await sql<{ text: string }>`
    select column_default as text from information_schema.columns
    where table_name = 'topics' and column_name = 'tone'`.execute(db);
  assert.equal(usual.rows[0]!.text, `'${USUAL_TONE}'::text`);
});

test('the database knows what a topic can say about approval', () => {
  const { check } = rows.find(({ name }) => name === 'topics_approval_is_known')!;
  const known = [...check.matchAll(/'(\w+)'::text/g)].map((found) => found[1]!);
  assert.deepEqual(known.sort(), Object.keys(APPROVAL_WORDS).sort());
});

test('the database knows the kinds of facts', () => {
  const { check } = rows.find(({ name }) => name === 'facts_kind_is_known')!;
  const known = [...check.matchAll(/'(\w+)'::text/g)].map((found) => found[1]!);
  assert.deepEqual(known.sort(), Object.keys(FACT_KINDS).sort());
});
