-- The secret that an authenticator app shares with us, sealed for its row. It counts once a code of it was right.
create table authenticator_apps (
  user_id uuid primary key references users on delete cascade,
  secret_sealed text not null,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3),
  -- The 30 seconds, counted from 1970, whose code was used last: neither that code nor an earlier one works again.
  last_step integer not null default 0
);

-- Codes for who has lost everything else. A row is gone once its code is used.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- How often a second step was tried since when, by whoever had the first one.
create table second_step_tries (
  user_id uuid primary key references users on delete cascade,
  tries integer not null,
  since timestamptz(3) not null
);

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  constraint passkeys_name_fits check (char_length(name) between 1 and 50)
);
create index passkeys_user_id_idx on passkeys (user_id);

-- What a browser was given to sign with a passkey. A row is gone once it is answered.
create table passkey_challenges (
  id uuid primary key default gen_random_uuid(),
  challenge text not null,
  purpose text not null,
  -- Whose passkey it is about; nobody's yet when it is to say who signs in.
  user_id uuid references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint passkey_challenges_purpose_is_known check (purpose in ('add', 'sign-in', 'second-step'))
);
create index passkey_challenges_user_id_idx on passkey_challenges (user_id);
create index passkey_challenges_created_at_idx on passkey_challenges (created_at);
