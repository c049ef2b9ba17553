create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  password_hash text,
  role text not null default 'user',
  time_zone text not null default 'UTC',
  headline text not null default '',
  voice_notes text not null default '',
  verified_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  constraint users_email_is_canonical check (email = lower(btrim(email))),
  constraint users_role_is_known check (role in ('user', 'admin'))
);
create unique index users_email_key on users (email);

-- A sign-up is an attempt: a name, a password and a code of its own. The code completes this attempt
-- and no other, and the user row is made only then. An attempt with the address of an account has no code.
create table sign_ups (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  password_hash text not null,
  time_zone text not null,
  code_hash text,
  code_expires_at timestamptz(3),
  code_sent_at timestamptz(3),
  resent_at timestamptz(3)[] not null default '{}',
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint sign_ups_email_is_canonical check (email = lower(btrim(email)))
);
create index sign_ups_email_idx on sign_ups (email, created_at desc);

-- `web` sessions are the HttpOnly cookie, `api` sessions the bearer token. Only the hash is stored.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null,
  token_hash text not null,
  user_agent text not null default '',
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint sessions_kind_is_known check (kind in ('web', 'api')),
  constraint sessions_token_hash_key unique (token_hash)
);
create index sessions_user_id_idx on sessions (user_id);

create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
