create table automation_settings (
  user_id uuid primary key references users on delete cascade,
  is_enabled boolean not null default true,
  requires_approval boolean not null default false,
  content_creation_time text not null default '08:00',
  publish_times text[] not null default '{09:00}',
  publish_days text[] not null default '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}',
  -- Single dates on which nothing is published.
  days_off date[] not null default '{}',
  -- When the next run is due: content_creation_time in the user's time zone, as an instant.
  next_run_at timestamptz(3),
  constraint automation_settings_creation_time_is_time check (content_creation_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  constraint automation_settings_publish_times_count check (cardinality(publish_times) between 1 and 5),
  constraint automation_settings_publish_days_are_days check (
    publish_days <@ array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    and cardinality(publish_days) between 1 and 7
  ),
  constraint automation_settings_days_off_count check (cardinality(days_off) <= 60)
);
create index automation_settings_next_run_idx on automation_settings (next_run_at) where is_enabled;
