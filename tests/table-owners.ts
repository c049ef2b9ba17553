/**
 * Who owns each table: the folder of app/domain, or the one file, that alone writes it. Others call its
 * functions; what decides for other rooms is a condition in the owner's `facts.ts`. In `rate_limits` the
 * library behind app/http/limit.ts counts, too.
 */
export const OWNERS: Record<string, string> = {
  users: 'accounts/',
  sign_ups: 'accounts/',
  password_resets: 'accounts/',
  code_requests: 'accounts/',
  sessions: 'accounts/',
  rate_limits: 'accounts/',
  currencies: 'payments/',
  prices: 'payments/',
  payments: 'payments/',
  linkedin_connections: 'linkedin/',
  oauth_states: 'linkedin/',
  topics: 'topics/',
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
  mails: 'email/',
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
  'posts/counts.ts': { shows: 'how many posts there are', joins: ['users', 'deliveries'] },
  'posts/stats.ts': { shows: 'the dashboard', joins: ['topics', 'deliveries'] },
  'voice/fact-uses.ts': { shows: 'where facts were used', joins: ['posts'] },
  'writing/writer-usage.ts': { shows: 'what the writer costs', joins: ['users'] },
  'audit.ts': { shows: "the admin's log", joins: ['users'] },
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
