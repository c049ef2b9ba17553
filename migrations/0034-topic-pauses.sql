-- When a topic last had its turn, whatever became of it; when a post about it was last written stands in last_used_at.
-- After several failures in a row it is paused, until an instant or until its owner resumes it, and says why.
alter table topics
  add column last_turn_at timestamptz(3),
  add column failures smallint not null default 0 constraint topics_failures_check check (failures >= 0),
  add column failure text not null default '',
  add column paused_at timestamptz(3),
  add column paused_until timestamptz(3),
  add constraint topics_pause_check check (paused_until is null or paused_at is not null);

update topics set last_turn_at = last_used_at where last_used_at is not null;
