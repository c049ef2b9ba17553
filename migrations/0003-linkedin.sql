-- Tokens are sealed with AES-256-GCM; the sealed value names its key.
create table linkedin_connections (
  user_id uuid primary key references users on delete cascade,
  member_id text not null,
  name text not null,
  email text,
  picture text,
  scopes text[] not null,
  access_token_sealed text not null,
  refresh_token_sealed text,
  expires_at timestamptz(3) not null,
  connected_at timestamptz(3) not null default now(),
  status text not null default 'alive',
  constraint linkedin_connections_member_id_key unique (member_id),
  constraint linkedin_connections_status_is_known check (status in ('alive', 'expired', 'revoked'))
);

create table oauth_states (
  state_hash text primary key,
  user_id uuid not null references users on delete cascade,
  -- The browser session that began; null when it was begun through the API.
  session_id uuid references sessions on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
