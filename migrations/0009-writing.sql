-- One generation of up to `requested` posts for one user.
create table generation_runs (
  id uuid primary key default id_of_now(),
  user_id uuid not null references users on delete cascade,
  -- When a scheduled run was due: two ticks create one run.
  scheduled_for timestamptz(3),
  topic_id uuid references topics on delete set null,
  -- Requested for one topic, which may be deleted before it is written.
  is_for_topic boolean not null default false,
  -- Writes one post for one open slot. When that slot is taken or past by then, the post goes out at `instead_at`.
  slot_date date,
  slot_number integer,
  instead_at timestamptz(3),
  -- Rewrites a post, which had this revision when its user asked.
  post_id uuid references posts on delete cascade,
  post_revision integer,
  instruction text,
  -- The key of the form that asked: submitted twice, it is one run.
  request_key text,
  -- The month in the user's time zone, by which free posts are counted.
  requested_month text,
  status text not null default 'queued',
  requested integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  error text,
  model text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- When its first job began; before that it may wait for another run of its user.
  claimed_at timestamptz(3),
  finished_at timestamptz(3),
  constraint generation_runs_scheduled_for_key unique (user_id, scheduled_for),
  constraint generation_runs_status_is_known check (status in ('queued', 'running', 'complete')),
  constraint generation_runs_slot_is_whole check ((slot_date is null) = (slot_number is null))
);
alter table posts add constraint posts_run_id_fkey foreign key (run_id) references generation_runs on delete set null;

-- One open run for each slot and each post, however often the button is pressed.
create unique index generation_runs_slot_key on generation_runs (user_id, slot_date, slot_number)
  where slot_date is not null and status <> 'complete';
create unique index generation_runs_post_key on generation_runs (post_id) where post_id is not null and status <> 'complete';
create unique index generation_runs_request_key_idx on generation_runs (user_id, request_key) where request_key is not null;
create index generation_runs_user_id_idx on generation_runs (user_id, created_at desc);
create index generation_runs_open_idx on generation_runs (created_at) where status <> 'complete';
create index generation_runs_created_at_idx on generation_runs (created_at desc);
create index generation_runs_post_id_idx on generation_runs (post_id, created_at desc) where post_id is not null;
create index generation_runs_topic_id_idx on generation_runs (topic_id) where topic_id is not null;

-- The posts of a run are written side by side: one row for each of them, by its position in the run.
create table generation_attempts (
  run_id uuid not null references generation_runs on delete cascade,
  position integer not null,
  answers integer not null default 0,
  -- What was wrong with the last answer, in sentences for the writer and for the user, and that answer.
  rejections text[] not null default '{}',
  complaints text[] not null default '{}',
  rejected text,
  started_at timestamptz(3),
  -- A post counts against the user's allowance from its first answer on. A call that has no answer yet counts when the user
  -- stops it, and not when it fails.
  called_at timestamptz(3),
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (run_id, position)
);
-- How long the latest posts took.
create index generation_attempts_ended_at_idx on generation_attempts (ended_at desc) where started_at is not null;

-- The brief of a post, the writer's answer and its score. `content` is the text as it was written, before any edit.
create table briefs (
  post_id uuid primary key references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  brief jsonb not null,
  content text not null,
  thesis text not null,
  claims jsonb not null,
  score integer not null,
  reasons text[] not null,
  findings text[] not null,
  created_at timestamptz(3) not null default now()
);
create index briefs_user_id_idx on briefs (user_id, created_at desc);

-- Calls to the language model on each day (UTC), for each user and in all. Calls count when they begin, whatever comes of
-- them; tokens count when they end.
create table writer_calls (
  user_id uuid not null references users on delete cascade,
  day date not null,
  calls integer not null default 0 check (calls >= 0),
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  primary key (user_id, day)
);
create index writer_calls_day_idx on writer_calls (day);

create table writer_days (
  day date primary key,
  calls integer not null default 0 check (calls >= 0),
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0
);
