-- Mails to people without an account are forgotten by their age.
create index mails_of_nobody_idx on mails (created_at) where user_id is null;
