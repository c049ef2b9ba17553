-- Disconnecting deletes the row. Tokens are sealed with AES-256-GCM, and the sealed value names its key.
create table linkedin_connections (
  user_id uuid primary key references users on delete cascade,
  member_id text not null,
  name text not null,
  email text,
  picture text,
  scopes text[] not null,
  access_token_sealed text not null,
  expires_at timestamptz(3) not null,
  refresh_token_sealed text,
  -- Null when LinkedIn has not said it.
  refresh_expires_at timestamptz(3),
  connected_at timestamptz(3) not null default now(),
  status text not null default 'alive',
  -- When LinkedIn was connected after a time without a living connection. Posts that were due before then wait for the user's
  -- choice, and without one for three days they take the next free slots ('none').
  resumed_at timestamptz(3),
  resume_choice text,
  constraint linkedin_connections_member_id_key unique (member_id),
  constraint linkedin_connections_status_is_known check (status in ('alive', 'expired')),
  constraint linkedin_connections_resume_choice_is_known check (
    resume_choice in ('slots', 'latest', 'discard', 'none')
  )
);
-- The sweep looks every minute for permissions that have run out.
create index linkedin_connections_ending_idx on linkedin_connections (expires_at)
  where status = 'alive' and refresh_token_sealed is null;

-- The tokens of a sign-in with LinkedIn, until the user has said whether we may publish with them. Sealed as connections are.
create table pending_linkedin_connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  member_id text not null,
  name text not null,
  email text,
  picture text,
  scopes text[] not null,
  access_token_sealed text not null,
  expires_at timestamptz(3) not null,
  refresh_token_sealed text,
  refresh_expires_at timestamptz(3),
  offered_until timestamptz(3) not null
);
create index pending_linkedin_connections_user_id_idx on pending_linkedin_connections (user_id);

-- Calls to LinkedIn on each day (UTC), as its quotas count them: posts to create, and all else. `limit_at` is the number of
-- calls after which LinkedIn refused more for the whole application.
create table linkedin_days (
  day date not null,
  resource text not null,
  calls integer not null default 0 check (calls >= 0),
  limit_at integer,
  primary key (day, resource),
  constraint linkedin_days_resource_is_known check (resource in ('posts', 'other'))
);
