-- What is counted while somebody who is signed in proves that the account is theirs: wrong passwords since a moment,
-- and the code that was mailed to who has no password.
create table owner_proofs (
  user_id uuid primary key references users on delete cascade,
  wrong_passwords integer not null default 0,
  counted_from timestamptz(3) not null,
  code_hash text,
  code_expires_at timestamptz(3),
  tries integer not null default 0
);
