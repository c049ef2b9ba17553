-- Who somebody is at a provider of sign-ins, by its own name for them; never by an e-mail address.
create table identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  -- What the provider said last, to be shown.
  email text,
  linked_at timestamptz(3) not null default now(),
  -- When its owner said that we are not to publish with it.
  declined_at timestamptz(3),
  primary key (provider, subject),
  constraint identities_one_of_each_provider unique (user_id, provider),
  constraint identities_provider_is_known check (provider in ('google', 'linkedin'))
);

-- An identity whose address belongs to an account: it waits for the owner to sign in and say yes.
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

-- What stands in the address at the end of a social sign-in, for one use by the browser that began.
create table exchange_codes (
  code_hash text primary key,
  user_id uuid not null references users on delete cascade,
  browser_hash text not null,
  expires_at timestamptz(3) not null
);
create index exchange_codes_user_id_idx on exchange_codes (user_id);

-- What LinkedIn gave at a sign-in, until its owner has said whether we may publish with it. Sealed as connections are.
create table linkedin_offers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  member_id text not null,
  name text not null,
  email text,
  picture text,
  scopes text[] not null,
  access_token_sealed text not null,
  refresh_token_sealed text,
  expires_at timestamptz(3) not null,
  refresh_expires_at timestamptz(3),
  offered_until timestamptz(3) not null
);
create index linkedin_offers_user_id_idx on linkedin_offers (user_id);

-- A state is for one provider and one intent, and only connecting and linking have a user when they begin.
delete from oauth_states;
alter table oauth_states
  alter column user_id drop not null,
  add column provider text not null,
  add column intent text not null,
  add column target text,
  add column time_zone text,
  add constraint oauth_states_provider_is_known check (provider in ('google', 'linkedin')),
  add constraint oauth_states_intent_is_known check (intent in ('sign-in', 'link', 'connect')),
  add constraint oauth_states_user_is_known check ((user_id is null) = (intent = 'sign-in'));
