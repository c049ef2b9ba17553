-- The outbox. `data_sealed` holds what the template needs and is deleted when the mail is sent.
create table mails (
  id uuid primary key default id_of_now(),
  user_id uuid references users on delete cascade,
  to_address text not null,
  kind text not null,
  dedupe_key text,
  data_sealed text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  failure text,
  constraint mails_dedupe_key_key unique (dedupe_key)
);
create index mails_unsent_idx on mails (created_at) where sent_at is null and failed_at is null;
create index mails_user_id_idx on mails (user_id, created_at, id) where user_id is not null;
-- Whether we mailed an address at all, which is asked before a click counts.
create index mails_to_address_idx on mails (to_address);
-- Mails are deleted by age, and sooner those to people without an account.
create index mails_of_nobody_idx on mails (created_at) where user_id is null;
create index mails_of_accounts_idx on mails (created_at) where user_id is not null;

-- Kinds of mail that a user has opted out of.
create table email_opt_outs (
  user_id uuid not null references users on delete cascade,
  choice text not null,
  primary key (user_id, choice)
);
