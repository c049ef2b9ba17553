-- Codes asked for by somebody who has signed in to the account before are counted by themselves.
alter table code_requests add column is_known boolean not null default false;
