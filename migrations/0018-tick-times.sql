-- When each tick last ran, and since when a worker has known it.
create table tick_times (
  name text primary key,
  known_since timestamptz(3) not null default now(),
  last_at timestamptz(3)
);
