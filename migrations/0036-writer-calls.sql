-- What the writer was asked on each day (UTC): by each user, and in all. Calls count when they begin, whatever comes of
-- them; tokens when they are over.
create table writer_calls (
  user_id uuid not null references users on delete cascade,
  day date not null,
  calls integer not null default 0 constraint writer_calls_calls_check check (calls >= 0),
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  constraint writer_calls_pkey primary key (user_id, day)
);
create index writer_calls_day_idx on writer_calls (day);

create table writer_days (
  day date not null constraint writer_days_pkey primary key,
  calls integer not null default 0 constraint writer_days_calls_check check (calls >= 0),
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0
);
