-- Of a browser its name and system are kept, of its address the network alone.
alter table sessions
  add column device text not null default '',
  add column place text not null default '',
  add column proved_at timestamptz(3),
  add column scope text not null default 'write',
  add column name text,
  drop column user_agent,
  alter column expires_at drop not null,
  add constraint sessions_scope_is_known check (scope in ('read', 'write')),
  add constraint sessions_names_are_of_tokens check (name is null or kind = 'api'),
  add constraint sessions_end check (expires_at is not null or name is not null);

-- The absolute end.
update sessions set expires_at = least(expires_at, created_at + interval '90 days');
