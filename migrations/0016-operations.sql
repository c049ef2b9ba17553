-- What admins did. The log outlives their accounts, so `admin_id` is no foreign key.
create table audit_log (
  id bigint generated always as identity primary key,
  admin_id uuid,
  action text not null,
  subject_id uuid,
  detail jsonb not null default '{}',
  -- The network of the admin's address; null when no request caused it.
  network text,
  created_at timestamptz(3) not null default now()
);
create index audit_log_created_at_idx on audit_log (created_at desc, id desc);
create index audit_log_admin_id_idx on audit_log (admin_id, id desc);
create index audit_log_action_idx on audit_log (action, id desc);
create index audit_log_subject_id_idx on audit_log (subject_id, id desc) where subject_id is not null;
create index audit_log_words_idx on audit_log using gin ((action || ' ' || detail::text) gin_trgm_ops);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are added and never changed', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_stays before update or delete or truncate on audit_log
for each statement execute function refuse_change();

-- Faults that only the operator can fix, shown to admins.
create table operator_alerts (
  key text primary key,
  message text not null,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);

-- Responses to API requests with an idempotency key. `name` is a hash of the caller, the call and the key. Requests without an
-- account have no user.
create table idempotency_keys (
  name text primary key,
  user_id uuid references users on delete cascade,
  status smallint not null,
  sealed text not null,
  created_at timestamptz(3) not null
);
create index idempotency_keys_user_id_idx on idempotency_keys (user_id) where user_id is not null;
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
