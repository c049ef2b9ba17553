-- One generation of up to `requested` posts for one user. Scheduled runs are unique by the instant they
-- were due, so that two ticks make one run.
create table runs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  scheduled_for timestamptz(3),
  topic_id uuid references topics on delete set null,
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
  finished_at timestamptz(3),
  constraint runs_status_is_known check (status in ('queued', 'running', 'complete')),
  constraint runs_scheduled_for_key unique (user_id, scheduled_for)
);
create index runs_user_id_idx on runs (user_id, created_at desc);
create index runs_open_idx on runs (created_at) where status <> 'complete';

create table posts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  topic_id uuid references topics on delete set null,
  run_id uuid references runs on delete set null,
  run_index integer,
  content text not null,
  hashtags text[] not null default '{}',
  image_url text,
  alt_text text,
  status text not null default 'generated',
  reason text,
  -- Whether LinkedIn left it open if the post is there; the user decides with two buttons.
  is_unconfirmed boolean not null default false,
  slot_date date,
  slot_number integer,
  publish_at timestamptz(3),
  posted_at timestamptz(3),
  network_urn text,
  edited_at timestamptz(3),
  -- When it moved to another slot because nobody had approved it; it moves once.
  approval_moved_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  constraint posts_status_is_known check (status in ('generated', 'pending', 'published', 'failed')),
  constraint posts_slot_is_whole check ((slot_date is null) = (slot_number is null)),
  constraint posts_run_index_key unique (run_id, run_index)
);
create unique index posts_slot_key on posts (user_id, slot_date, slot_number) where deleted_at is null;
create index posts_user_id_idx on posts (user_id, created_at desc, id desc) where deleted_at is null;
create index posts_status_idx on posts (user_id, status, publish_at) where deleted_at is null;
create index posts_posted_at_idx on posts (user_id, posted_at) where deleted_at is null and posted_at is not null;
-- A topic that is deleted looks for its posts.
create index posts_topic_id_idx on posts (topic_id);
create unique index posts_network_urn_key on posts (network_urn);
