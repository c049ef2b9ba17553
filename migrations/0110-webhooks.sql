-- Addresses of programs that are told what happens, each with the secret that signs what it is told. For a day after that
-- was changed the one before signs as well. `failing_since` is the first of the failures since it last took something;
-- what fails for too long is disabled. Until `leased_until` one worker posts to it.
create table webhook_endpoints (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  url text not null constraint webhook_endpoints_url_check check (char_length(url) between 1 and 2000),
  events text[] not null constraint webhook_endpoints_events_check check (
    cardinality(events) > 0 and events <@ array[
      'post.published', 'post.failed', 'post.needs_approval', 'payment.verified', 'linkedin.expired'
    ]
  ),
  secret_sealed text not null,
  previous_sealed text,
  previous_until timestamptz(3),
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint webhook_endpoints_previous_check check ((previous_sealed is null) = (previous_until is null))
);
create index webhook_endpoints_user_id_idx on webhook_endpoints (user_id, created_at);

-- What each of them is told, in the words that are sent, and what came of it: it waits for its next try, or was taken, or
-- is given up.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null,
  type text not null,
  body text not null,
  attempts smallint not null default 0,
  next_at timestamptz(3),
  delivered_at timestamptz(3),
  given_up_at timestamptz(3),
  last_at timestamptz(3),
  last_status smallint,
  last_answer text,
  last_error text,
  created_at timestamptz(3) not null,
  constraint webhook_deliveries_state_check check (num_nonnulls(next_at, delivered_at, given_up_at) = 1)
);
create index webhook_deliveries_newest_idx on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_waiting_idx on webhook_deliveries (endpoint_id, next_at) where next_at is not null;
create index webhook_deliveries_next_at_idx on webhook_deliveries (next_at) where next_at is not null;
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);
