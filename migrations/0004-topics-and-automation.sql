create table topics (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  description text not null default '',
  keywords text[] not null default '{}',
  tone text not null default 'professional',
  is_active boolean not null default true,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint topics_name_is_not_blank check (btrim(name) <> ''),
  constraint topics_tone_is_known check (
    tone in ('professional', 'casual', 'inspirational', 'educational', 'humorous')
  )
);
create index topics_user_id_idx on topics (user_id, created_at desc, id desc);

create table automation_settings (
  user_id uuid primary key references users on delete cascade,
  content_creation_time text not null default '08:00',
  publish_times text[] not null default '{09:00}',
  is_enabled boolean not null default true,
  requires_approval boolean not null default false,
  -- When the next run is due: contentCreationTime in the user's zone, resolved once.
  next_run_at timestamptz(3),
  constraint automation_settings_creation_time_is_time check (content_creation_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  constraint automation_settings_publish_times_count check (cardinality(publish_times) between 1 and 5)
);
create index automation_settings_next_run_idx on automation_settings (next_run_at) where is_enabled;
