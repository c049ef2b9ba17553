-- The new address that a signed-in browser asked for, until its code comes back. It ends with that session, and a newer
-- one takes its place. An address that is somebody's has no code.
create table email_changes (
  user_id uuid primary key references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  new_email text not null,
  code_hash text,
  code_expires_at timestamptz(3),
  tries integer not null default 0,
  created_at timestamptz(3) not null,
  constraint email_changes_new_email_is_canonical check (new_email = lower(btrim(new_email)))
);
create index email_changes_session_id_idx on email_changes (session_id);

-- What somebody does not want to be mailed about. What is essential cannot be chosen.
create table muted_mails (
  user_id uuid not null references users on delete cascade,
  choice text not null,
  primary key (user_id, choice)
);
