-- outside a transaction
set lock_timeout = '15min';
-- What is forgotten of the mails to accounts is found by its age.
drop index concurrently if exists mails_of_accounts_idx;
create index concurrently mails_of_accounts_idx on mails (created_at) where user_id is not null;
reset lock_timeout;
