export type Role = 'web' | 'worker' | 'reader';

/**
 * The privileges of each role for a table: `r` select, `a` insert, `w` update (and row locks), `d` delete. Brackets restrict
 * them to columns, or after a minus exclude columns. The reader is for reporting: it cannot read credentials, encrypted
 * values or the texts of mails.
 *
 * Remove a privilege one release after the last code that needs it, because old processes run with the new privileges.
 */
export const RIGHTS: Record<string, Record<Role, string>> = {
  // The worker's mails have links that a changed password invalidates.
  users: { web: 'raw', worker: 'r w(has_plan,time_zone) d', reader: 'r(-password_hash)' },
  sign_ups: {
    web: 'rawd',
    worker: 'r(-id,password_hash,code_hash,link_hash) d',
    reader: 'r(-id,password_hash,code_hash,link_hash)',
  },
  password_resets: { web: 'rawd', worker: 'r(-id,code_hash) d', reader: 'r(-id,code_hash)' },
  reauth_attempts: { web: 'raw', worker: 'r(-code_hash) d', reader: '' },
  email_changes: { web: 'rawd', worker: 'r(-code_hash) d', reader: 'r(-code_hash)' },
  code_requests: { web: 'ra', worker: 'rd', reader: 'r' },
  sessions: { web: 'rawd', worker: 'r(-token_hash) d', reader: 'r(-token_hash)' },
  account_deletions: { web: 'rad', worker: 'rw', reader: 'r(-id)' },
  disabled_accounts: { web: 'rad', worker: 'r', reader: 'r' },
  identities: { web: 'rawd', worker: '', reader: 'r' },
  pending_identities: { web: 'rad', worker: 'r(-id) d', reader: '' },
  exchange_codes: { web: 'rad', worker: 'r(-code_hash,browser_hash) d', reader: '' },
  oauth_states: { web: 'rawd', worker: 'r(-state_hash) d', reader: '' },
  authenticator_apps: { web: 'rawd', worker: 'r(-secret_sealed) d', reader: 'r(-secret_sealed,last_step)' },
  recovery_codes: { web: 'rad', worker: '', reader: '' },
  two_factor_attempts: { web: 'rawd', worker: 'rd', reader: 'r' },
  passkeys: { web: 'rawd', worker: '', reader: 'r(-credential_id,public_key)' },
  passkey_challenges: { web: 'rad', worker: 'r(-id,challenge) d', reader: '' },
  rate_limits: { web: 'rawd', worker: 'rd', reader: '' },
  idempotency_keys: { web: 'raw', worker: 'r(-name,sealed) d', reader: '' },
  // The URL of a webhook may contain a secret.
  webhook_endpoints: { web: 'rawd', worker: 'rw', reader: 'r(-url,secret_sealed,previous_sealed)' },
  webhook_deliveries: { web: 'raw', worker: 'rawd', reader: 'r' },
  currencies: { web: 'r', worker: 'r', reader: 'r' },
  prices: { web: 'r', worker: '', reader: 'r' },
  payments: { web: 'raw', worker: 'rw', reader: 'r' },
  payment_requests: { web: 'raw', worker: 'rwd', reader: 'r' },
  earnings: { web: 'raw', worker: 'raw', reader: 'r' },
  payment_screenshots: { web: 'ra', worker: 'r(-bytes) d', reader: 'r(-bytes)' },
  // The web needs the tokens to delete posts on LinkedIn and to revoke the tokens there.
  linkedin_connections: {
    web: 'rawd',
    worker: 'rwd',
    reader: 'r(-access_token_sealed,refresh_token_sealed)',
  },
  pending_linkedin_connections: {
    web: 'rad',
    worker: 'r(-id,access_token_sealed,refresh_token_sealed) d',
    reader: '',
  },
  linkedin_days: { web: 'raw', worker: 'raw', reader: 'r' },
  topics: { web: 'rawd', worker: 'rw', reader: 'r' },
  feedback: { web: 'raw', worker: 'r w(upvotes) d', reader: 'r' },
  feedback_votes: { web: 'rad', worker: 'rd', reader: 'r' },
  voices: { web: 'raw', worker: 'r', reader: 'r' },
  voice_examples: { web: 'rad', worker: 'r', reader: 'r' },
  facts: { web: 'rawd', worker: 'rw', reader: 'r' },
  fact_uses: { web: 'rad', worker: 'rad', reader: 'r' },
  automation_settings: { web: 'raw', worker: 'raw', reader: 'r' },
  generation_runs: { web: 'raw', worker: 'rawd', reader: 'r' },
  writer_calls: { web: 'raw', worker: 'rawd', reader: 'r' },
  writer_days: { web: 'raw', worker: 'raw', reader: 'r' },
  generation_attempts: { web: 'rw', worker: 'raw', reader: 'r' },
  briefs: { web: 'rawd', worker: 'rawd', reader: 'r' },
  posts: { web: 'raw', worker: 'rawd', reader: 'r' },
  engagements: { web: 'rawd', worker: 'r', reader: 'r' },
  post_versions: { web: 'rad', worker: 'rad', reader: 'r' },
  post_counts: { web: 'raw', worker: 'raw', reader: 'r' },
  published_totals: { web: 'r', worker: 'raw', reader: 'r' },
  landing_exclusions: { web: 'rad', worker: 'r', reader: 'r' },
  landing_pictures: { web: 'r', worker: 'raw', reader: 'r' },
  post_schedules: { web: 'raw', worker: 'raw', reader: 'r' },
  // Only the worker publishes, and attempts are never deleted.
  publish_attempts: { web: 'r', worker: 'raw', reader: 'r' },
  publishing_epoch: { web: 'r', worker: 'rw', reader: 'r' },
  publishing_pause: { web: 'rw', worker: 'rw', reader: 'r' },
  publishing_days: { web: 'r', worker: 'raw', reader: 'r' },
  support_tickets: { web: 'raw', worker: 'r w(id) d', reader: 'r' },
  support_replies: { web: 'ra', worker: '', reader: 'r' },
  saved_replies: { web: 'rawd', worker: '', reader: 'r' },
  mails: { web: 'rawd', worker: 'rawd', reader: 'r(-data_sealed)' },
  email_opt_outs: { web: 'rad', worker: 'r', reader: 'r' },
  visits: { web: 'raw', worker: 'rwd', reader: 'r' },
  visit_sightings: { web: 'raw', worker: 'r w(day) d', reader: '' },
  visit_days: { web: 'raw', worker: '', reader: 'r' },
  visit_totals: { web: 'raw', worker: '', reader: 'r' },
  visit_addresses: { web: 'raw', worker: 'rwd', reader: 'r' },
  email_clicks: { web: 'raw', worker: 'rd', reader: 'r' },
  click_spans: { web: 'raw', worker: '', reader: 'r' },
  click_totals: { web: 'raw', worker: '', reader: 'r' },
  click_addresses: { web: 'raw', worker: 'rwd', reader: 'r' },
  // Append-only, with ids that the database assigns.
  audit_log: { web: 'r a(-id)', worker: '', reader: 'r' },
  operator_alerts: { web: 'rawd', worker: 'rawd', reader: 'r' },
  tick_times: { web: 'r', worker: 'raw', reader: 'r' },
  kysely_migration: { web: 'r', worker: 'r', reader: 'r' },
  kysely_migration_lock: { web: 'r', worker: 'r', reader: 'r' },
  // The web adds, cancels, retries and discards jobs; the worker runs them.
  'graphile_worker._private_jobs': { web: 'rawd', worker: 'rawd', reader: '' },
  'graphile_worker._private_job_queues': { web: 'raw', worker: 'rawd', reader: '' },
  'graphile_worker._private_tasks': { web: 'raw', worker: 'rawd', reader: '' },
  'graphile_worker._private_known_crontabs': { web: '', worker: 'rawd', reader: '' },
  'graphile_worker.jobs': { web: 'r', worker: 'r', reader: '' },
  'graphile_worker.migrations': { web: '', worker: 'r', reader: '' },
};

/** The roles that may execute functions which run with the rights of their owner (security definer). */
export const EXECUTE_RIGHTS: Record<string, Role[]> = { keep_visit_months: ['worker'] };
