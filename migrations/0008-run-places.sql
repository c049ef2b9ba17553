-- The first place of a run that is not dealt with. A job deals with one place and moves this on in the same
-- transaction, so that a place is written once, whoever comes late.
alter table runs add column next_place integer not null default 0;
