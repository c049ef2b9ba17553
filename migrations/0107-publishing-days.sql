-- When a delivery was due that has left the queue: how late it went is told by that.
alter table deliveries add column was_due_at timestamptz(3);

-- What went out and what failed on each day (UTC), counted by the worker. Lateness is that of what is known to have been due.
create table publishing_days (
  day date primary key,
  published integer not null,
  failed integer not null,
  late_p50_ms bigint,
  late_p99_ms bigint,
  counted_at timestamptz(3) not null
);
