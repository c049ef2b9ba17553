-- What the writer has been asked for the place at `next_place` in earlier jobs, so that a slow writer is
-- asked no more often than a quick one, and hears what was wrong.
alter table runs
  add column answers integer not null default 0,
  add column rejections text[] not null default '{}';
