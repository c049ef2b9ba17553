-- When a code was asked for that goes to an address, whatever it is for. What an address may be sent is counted here.
create table code_requests (
  email text not null,
  asked_at timestamptz(3) not null default now()
);
create index code_requests_email_idx on code_requests (email, asked_at desc);
create index code_requests_asked_at_idx on code_requests (asked_at);

insert into code_requests (email, asked_at)
select email, unnest(resent_at || code_sent_at) from sign_ups where code_sent_at is not null;

-- Somebody asked for a new password for an address. Without an account there is no user, and no code.
create table password_resets (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  user_id uuid references users on delete cascade,
  code_hash text,
  code_expires_at timestamptz(3),
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint password_resets_email_is_canonical check (email = lower(btrim(email)))
);
create index password_resets_email_idx on password_resets (email);
create index password_resets_user_id_idx on password_resets (user_id);

-- The mail with the code of a sign-up carries a link beside it. Only the hash of its token is kept.
alter table sign_ups add column link_hash text;
create unique index sign_ups_link_hash_key on sign_ups (link_hash);
