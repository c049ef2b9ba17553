-- When the database last said that it is the one we know. A clock that says less has been set back.
alter table publishing_epoch add column beat_at timestamptz not null default clock_timestamp();
