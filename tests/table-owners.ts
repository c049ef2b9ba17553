/**
 * Who owns each table: the folder of app/domain, or the one file, that alone writes it. Others call its
 * functions; what decides for other rooms is a condition in the owner's `facts.ts`. In `rate_limits` the
 * library behind app/http/limit.ts counts, too.
 */
export const OWNERS: Record<string, string> = {
  users: 'accounts/',
  sign_ups: 'accounts/',
  password_resets: 'accounts/',
  owner_proofs: 'accounts/',
  email_changes: 'accounts/',
  code_requests: 'accounts/',
  sessions: 'accounts/',
  account_deletions: 'accounts/',
  identities: 'accounts/',
  pending_identities: 'accounts/',
  exchange_codes: 'accounts/',
  oauth_states: 'accounts/',
  authenticator_apps: 'accounts/',
  recovery_codes: 'accounts/',
  second_step_tries: 'accounts/',
  passkeys: 'accounts/',
  passkey_challenges: 'accounts/',
  rate_limits: 'accounts/',
  currencies: 'payments/',
  prices: 'payments/',
  payments: 'payments/',
  payment_requests: 'payments/',
  payment_screenshots: 'payments/',
  linkedin_connections: 'linkedin/',
  linkedin_offers: 'linkedin/',
  topics: 'topics/',
  feedback: 'feedback/',
  feedback_votes: 'feedback/',
  feedback_presses: 'feedback/',
  voices: 'voice/',
  voice_examples: 'voice/',
  facts: 'voice/',
  fact_uses: 'voice/',
  automation_settings: 'automation/',
  runs: 'writing/',
  writer_calls: 'writing/',
  writer_days: 'writing/',
  run_tries: 'writing/',
  briefs: 'writing/',
  posts: 'posts/',
  engagements: 'posts/',
  post_versions: 'posts/',
  post_counts: 'posts/',
  deliveries: 'queue/',
  publications: 'publishing/',
  publishing_epoch: 'publishing/',
  publishing_switch: 'publishing/',
  support_tickets: 'support/',
  support_replies: 'support/',
  mails: 'email/',
  muted_mails: 'email/',
  visits: 'visits/',
  visit_sightings: 'visits/',
  visit_days: 'visits/',
  visit_totals: 'visits/',
  visit_addresses: 'visits/',
  email_clicks: 'visits/',
  audit_log: 'audit.ts',
  operator_faults: 'operator-faults.ts',
};

/**
 * Queries that show, and for that join tables of several owners. Giving a post another time, or its own back, and typing in numbers
 * ask `posts/posts.ts` under the lock of the post, and deleting before it calls LinkedIn; nothing else is decided by them.
 */
export const READ_MODELS: Record<string, { shows: string; joins: string[] }> = {
  'posts/posts.ts': {
    shows: 'the queue and the history',
    joins: ['topics', 'deliveries', 'publications', 'linkedin_connections'],
  },
  'posts/posts-around.ts': { shows: 'the dashboard', joins: ['deliveries'] },
  'posts/outlines.ts': { shows: 'the calendar', joins: ['deliveries', 'linkedin_connections'] },
  'posts/top-posts.ts': {
    shows: 'everybody the posts whose authors let them',
    joins: ['topics', 'deliveries'],
  },
  'posts/counts.ts': { shows: 'how many posts there are', joins: ['users', 'deliveries'] },
  'posts/stats.ts': { shows: 'the dashboard', joins: ['topics', 'deliveries'] },
  'accounts/tell-password-changed.ts': {
    shows: 'the owner what a new password leaves as it is',
    joins: ['linkedin_connections'],
  },
  'voice/fact-uses.ts': { shows: 'where facts were used', joins: ['posts'] },
  'writing/writer-usage.ts': { shows: 'what the writer costs', joins: ['users'] },
  'audit.ts': { shows: "the admin's log", joins: ['users', 'payments'] },
  'leaving/held-rows.ts': {
    shows: 'a person all that is kept of them',
    joins: [
      ...['users', 'sign_ups', 'password_resets', 'code_requests', 'sessions', 'account_deletions'],
      ...['linkedin_connections', 'automation_settings', 'voices', 'voice_examples', 'facts', 'topics'],
      ...['email_changes', 'muted_mails', 'identities', 'authenticator_apps', 'passkeys'],
      ...['payments', 'payment_requests', 'payment_screenshots', 'writer_calls', 'posts', 'runs', 'mails'],
      ...['audit_log', 'feedback', 'feedback_votes', 'support_tickets', 'email_clicks'],
    ],
  },
  'leaving/held-posts.ts': {
    shows: 'the same, of each post, run and request',
    joins: [
      ...['deliveries', 'publications', 'post_versions', 'engagements', 'briefs', 'fact_uses'],
      ...['run_tries', 'support_replies'],
    ],
  },
  'admin-stats.ts': {
    shows: 'admins how many there are of everything',
    joins: ['users', 'payments'],
  },
  'feedback/manage.ts': { shows: 'admins who wrote which feedback', joins: ['users'] },
  'support/ticket-desk.ts': { shows: 'requests and who answered to admins', joins: ['users'] },
  'payments/desk.ts': { shows: 'payments to admins', joins: ['users'] },
  'payments/ledger.ts': { shows: "everything of a user's money", joins: ['users'] },
  'payments/ledger-rows.ts': { shows: 'the same, and which admin decided', joins: ['users'] },
  'queue/trusted-topics.ts': {
    shows: 'whether to offer that a topic goes out without asking',
    joins: ['topics', 'posts'],
  },
  'shell-state.ts': {
    shows: 'what stands around every page',
    joins: ['users', 'linkedin_connections', 'deliveries', 'posts', 'payments'],
  },
};

/** Queries of one room that lock or list the rows of another together with their own. */
export const LOCKED_TOGETHER: Record<string, string[]> = {
  'queue/waiting.ts': ['posts'],
  'queue/due.ts': ['posts'],
  'queue/approval.ts': ['posts'],
  'queue/ask-approval.ts': ['posts'],
  'queue/sweep.ts': ['posts'],
  'queue/warn-ending.ts': ['posts'],
  'queue/next-moves.ts': ['posts'],
  'queue/missed.ts': ['posts'],
  'queue/deliveries.ts': ['posts'],
  'queue/own-post.ts': ['posts'],
  'queue/standing.ts': ['posts'],
  'publishing/claim.ts': ['posts', 'deliveries'],
};
