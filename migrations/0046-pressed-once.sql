-- What a form asked for, with the key that its page made: pressed twice it is one run.
alter table runs add column asked_as text;
create unique index runs_asked_as_idx on runs (user_id, asked_as) where asked_as is not null;
