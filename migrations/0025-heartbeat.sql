-- When the worker last did what it does each minute, whatever it found. Null until it has run once.
alter table publishing_epoch add column ticked_at timestamptz(3);
