-- How many posts are out, of how many authors: the worker counts it, and no visitor waits for that.
create table published_totals (
  is_only boolean primary key default true,
  posts integer not null,
  authors integer not null,
  counted_at timestamptz(3) not null,
  constraint published_totals_is_one_row check (is_only)
);
