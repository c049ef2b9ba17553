-- Mails to send. `data_sealed` holds what the template needs and is cut once the mail is out.
create table mails (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete set null,
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

create table audit_log (
  id bigint generated always as identity primary key,
  admin_id uuid references users on delete set null,
  action text not null,
  subject_id uuid,
  detail jsonb not null default '{}',
  created_at timestamptz(3) not null default now()
);
create index audit_log_created_at_idx on audit_log (created_at desc, id desc);
