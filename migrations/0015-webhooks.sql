create table webhook_endpoints (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  url text not null check (char_length(url) between 1 and 2000),
  events text[] not null check (
    cardinality(events) > 0 and events <@ array[
      'post.published', 'post.failed', 'post.needs_approval', 'payment.verified', 'linkedin.expired'
    ]
  ),
  secret_sealed text not null,
  -- For a day after the secret was changed, the previous one signs as well.
  previous_sealed text,
  previous_until timestamptz(3),
  -- The first failure since the last success. An endpoint that fails for too long is disabled.
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  -- Until then one worker posts to it.
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint webhook_endpoints_previous_check check ((previous_sealed is null) = (previous_until is null))
);
create index webhook_endpoints_user_id_idx on webhook_endpoints (user_id, created_at);

-- An event for an endpoint, as it is sent: it waits for its next attempt, was delivered, or was given up.
create table webhook_deliveries (
  id uuid primary key default id_of_now(),
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
