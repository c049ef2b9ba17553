-- The places of a run are written side by side, so each keeps what the writer was asked for it, and from when to when it
-- was dealt with. In a run that began before this, `next_place` says which places were.
create table run_tries (
  run_id uuid not null references runs on delete cascade,
  place integer not null,
  answers integer not null default 0,
  -- What was wrong with the last answer, in sentences for the writer and in others for the user, and that answer.
  rejections text[] not null default '{}',
  complaints text[] not null default '{}',
  rejected text,
  begun_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (run_id, place)
);
-- How long a post takes, from the latest ones.
create index run_tries_ended_at_idx on run_tries (ended_at desc) where begun_at is not null;

-- When a run was begun: before that it may have waited for another of its user. And whether it was asked for about one topic,
-- which may be deleted before it is written.
alter table runs
  add column claimed_at timestamptz(3),
  add column is_for_topic boolean not null default false;
