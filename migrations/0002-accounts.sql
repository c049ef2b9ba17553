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
  -- The latest sign-in of a browser; null until the first. After it, the owner is mailed when a new browser signs in.
  signed_in_at timestamptz(3),
  -- Since when the landing page may show the user's newest post; null: it may not.
  shows_posts_since timestamptz(3),
  -- Whether a payment of the user is active, also one whose time begins later. Triggers on payments keep it, so that admins
  -- can list users without a plan in the order of the accounts.
  has_plan boolean not null default false,
  constraint users_email_is_canonical check (email = lower(btrim(email))),
  constraint users_role_is_known check (role in ('user', 'admin'))
);
create unique index users_email_key on users (email);
create index users_showing_idx on users (id) where shows_posts_since is not null;
-- The admins' list of users: newest first, by role, without a plan, and by words of name and email.
create index users_created_at_idx on users (created_at desc, id desc);
create index users_admins_idx on users (created_at desc, id desc) where role = 'admin';
create index users_without_plan_idx on users (created_at desc, id desc) where not has_plan;
create index users_words_idx on users using gin ((' ' || name || ' ' || email) gin_trgm_ops);

-- A sign-up is one attempt with its own name, password, code and link, and only they complete it. The user is created then.
-- An attempt with the address of an existing account has no code.
create table sign_ups (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  password_hash text not null,
  time_zone text not null,
  code_hash text,
  code_expires_at timestamptz(3),
  link_hash text,
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint sign_ups_email_is_canonical check (email = lower(btrim(email)))
);
create index sign_ups_email_idx on sign_ups (email, created_at desc);
create unique index sign_ups_link_hash_key on sign_ups (link_hash);

-- Each request for a code that goes to an address, whatever it is for: what an address may be sent is counted here.
create table code_requests (
  email text not null,
  requested_at timestamptz(3) not null default now(),
  -- Requests from a browser that has signed in to the account before are counted apart.
  is_known boolean not null default false
);
create index code_requests_email_idx on code_requests (email, requested_at desc);
create index code_requests_requested_at_idx on code_requests (requested_at);

-- A request for a new password. For an address without an account it has no user and no code.
create table password_resets (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  user_id uuid references users on delete cascade,
  code_hash text,
  code_expires_at timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint password_resets_email_is_canonical check (email = lower(btrim(email)))
);
create index password_resets_email_idx on password_resets (email);
create index password_resets_user_id_idx on password_resets (user_id);

-- `web` sessions are the HttpOnly cookie, `api` sessions are bearer tokens. Only the hash of the token is stored.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null,
  scope text not null default 'write',
  -- Of a token that its user created; it may have no end.
  name text,
  token_hash text not null,
  -- Browser and system, and the network of the address.
  device text not null default '',
  ip_prefix text not null default '',
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  -- When the user last confirmed their password or a mailed code in this session.
  reauthenticated_at timestamptz(3),
  expires_at timestamptz(3),
  constraint sessions_token_hash_key unique (token_hash),
  constraint sessions_kind_is_known check (kind in ('web', 'api')),
  constraint sessions_scope_is_known check (scope in ('read', 'write')),
  constraint sessions_names_are_of_tokens check (name is null or kind = 'api'),
  constraint sessions_end check (expires_at is not null or name is not null)
);
create index sessions_user_id_idx on sessions (user_id);

-- Wrong passwords and codes while a signed-in user confirms that the account is theirs, and the code that is mailed to users
-- without a password.
create table reauth_attempts (
  user_id uuid primary key references users on delete cascade,
  wrong_passwords integer not null default 0,
  counted_from timestamptz(3) not null,
  code_hash text,
  code_expires_at timestamptz(3),
  attempts integer not null default 0
);

-- A new email address that waits for its code. It ends with the session that asked, and a newer request replaces it. An
-- address that belongs to another account has no code.
create table email_changes (
  user_id uuid primary key references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  new_email text not null,
  code_hash text,
  code_expires_at timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  constraint email_changes_new_email_is_canonical check (new_email = lower(btrim(new_email)))
);
create index email_changes_session_id_idx on email_changes (session_id);

-- A user at a sign-in provider, by the provider's subject and never by an email address.
create table identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  -- As the provider said it last, to be shown.
  email text,
  is_email_verified boolean not null default false,
  linked_at timestamptz(3) not null default now(),
  -- When the user declined to let us publish with it.
  declined_at timestamptz(3),
  primary key (provider, subject),
  constraint identities_one_of_each_provider unique (user_id, provider),
  constraint identities_provider_is_known check (provider in ('google', 'linkedin'))
);

-- An identity whose email address belongs to an account: it waits until the owner signs in and agrees.
create table pending_identities (
  id uuid primary key default gen_random_uuid(),
  provider text not null,
  subject text not null,
  email text not null,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz(3) not null,
  constraint pending_identities_provider_is_known check (provider in ('google', 'linkedin'))
);
create index pending_identities_user_id_idx on pending_identities (user_id);

-- The OAuth state of a sign-in, of linking a provider or of connecting LinkedIn. A sign-in has no user yet.
create table oauth_states (
  state_hash text primary key,
  provider text not null,
  intent text not null,
  user_id uuid references users on delete cascade,
  -- The browser session that began; null when it was begun through the API.
  session_id uuid references sessions on delete cascade,
  target text,
  time_zone text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint oauth_states_provider_is_known check (provider in ('google', 'linkedin')),
  constraint oauth_states_intent_is_known check (intent in ('sign-in', 'link', 'connect')),
  constraint oauth_states_user_is_known check ((user_id is null) = (intent = 'sign-in'))
);
create index oauth_states_session_id_idx on oauth_states (session_id);
create index oauth_states_user_id_idx on oauth_states (user_id);

-- The code in the URL at the end of a social sign-in, for one use by the browser that began.
create table exchange_codes (
  code_hash text primary key,
  user_id uuid not null references users on delete cascade,
  browser_hash text not null,
  expires_at timestamptz(3) not null
);
create index exchange_codes_user_id_idx on exchange_codes (user_id);

-- The secret of an authenticator app, sealed for its row. It counts once a code was right.
create table authenticator_apps (
  user_id uuid primary key references users on delete cascade,
  secret_sealed text not null,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3),
  -- The 30-second step since 1970 whose code was used last: neither that code nor an earlier one works again.
  last_step integer not null default 0
);

-- A row is deleted when its code is used.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Attempts at the second step since an instant, and the wrong ones before them since the last right one: the wait grows with
-- both.
create table two_factor_attempts (
  user_id uuid primary key references users on delete cascade,
  attempts integer not null,
  since timestamptz(3) not null,
  wrong_before integer not null default 0
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

-- A WebAuthn challenge. A row is deleted when it is answered.
create table passkey_challenges (
  id uuid primary key default gen_random_uuid(),
  challenge text not null,
  purpose text not null,
  -- Null at a sign-in, where the passkey says who it is.
  user_id uuid references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint passkey_challenges_purpose_is_known check (purpose in ('add', 'sign-in', 'second-step'))
);
create index passkey_challenges_user_id_idx on passkey_challenges (user_id);
create index passkey_challenges_created_at_idx on passkey_challenges (created_at);

-- A requested deletion of an account. It waits for some days, and cannot be undone from `erasing_at` on.
create table account_deletions (
  user_id uuid primary key references users on delete cascade,
  -- In the mailed link that undoes it.
  id uuid not null default gen_random_uuid(),
  requested_at timestamptz(3) not null,
  erase_at timestamptz(3) not null,
  erasing_at timestamptz(3),
  -- The next attempt, when LinkedIn could not be told that its permission ends.
  retry_at timestamptz(3),
  constraint account_deletions_id_key unique (id)
);
create index account_deletions_erase_at_idx on account_deletions (erase_at);

-- Accounts that an admin has disabled: nobody signs in to one, and nothing is written or published for it.
create table disabled_accounts (
  user_id uuid primary key references users on delete cascade,
  disabled_at timestamptz(3) not null,
  reason text not null,
  constraint disabled_accounts_reason_length check (length(reason) >= 1 and length(reason) <= 500)
);

-- The table of rate-limiter-flexible.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
