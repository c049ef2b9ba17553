-- Accounts that an admin has stopped: nobody signs in to one, and nothing is written or published for it.
create table disabled_accounts (
  user_id uuid primary key references users on delete cascade,
  disabled_at timestamptz(3) not null,
  reason text not null,
  constraint disabled_accounts_reason_length check (length(reason) >= 1 and length(reason) <= 500)
);
create trigger disabled_accounts_start_page after insert on disabled_accounts
for each row execute function tell_start_page_of_author();
