-- Who has asked for their account to be deleted. It waits for some days, and from `erasing_at` on cannot be undone.
create table account_deletions (
  user_id uuid primary key references users on delete cascade,
  -- What the mailed link that undoes it names.
  id uuid not null default gen_random_uuid(),
  asked_at timestamptz(3) not null,
  erase_at timestamptz(3) not null,
  erasing_at timestamptz(3),
  -- LinkedIn could not be told that its permission ends: not before then again.
  retry_at timestamptz(3),
  constraint account_deletions_id_key unique (id)
);
create index account_deletions_erase_at_idx on account_deletions (erase_at);

-- Bookkeeping keeps what was paid without who paid. A payment that waits or runs has a payer.
alter table payments
  alter column user_id drop not null,
  drop constraint payments_user_id_fkey,
  add constraint payments_user_id_fkey foreign key (user_id) references users on delete set null,
  add constraint payments_without_payer check (user_id is not null
    or (status not in ('pending', 'active') and payer_name = '' and payer_email = ''));

-- The mails of a user go with them, and none is looked for row by row; as what refers to a post, a run or a topic.
alter table mails
  drop constraint mails_user_id_fkey,
  add constraint mails_user_id_fkey foreign key (user_id) references users on delete cascade;
create index mails_user_id_idx on mails (user_id, created_at, id) where user_id is not null;
create index mails_to_nobody_idx on mails (to_address) where user_id is null;
create index publications_confirms_id_idx on publications (confirms_id) where confirms_id is not null;
create index runs_topic_id_idx on runs (topic_id) where topic_id is not null;
create index oauth_states_session_id_idx on oauth_states (session_id);
create index oauth_states_user_id_idx on oauth_states (user_id);
