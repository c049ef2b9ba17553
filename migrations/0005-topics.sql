create table topics (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  description text not null default '',
  keywords text[] not null default '{}',
  tone text not null default 'professional',
  is_active boolean not null default true,
  -- Whether its posts wait for approval: as the user's settings say, always, or never.
  approval text not null default 'settings',
  -- When the user answered the offer, made once after many approvals, to publish its posts without asking.
  auto_publish_answered_at timestamptz(3),
  -- When a post about it was last written, and when it last had its turn, whatever became of that.
  last_used_at timestamptz(3),
  last_turn_at timestamptz(3),
  -- Failures in a row, and the reason of the last one. After several the topic is paused, until `paused_until` or until the
  -- user resumes it.
  failures smallint not null default 0 check (failures >= 0),
  failure text not null default '',
  paused_at timestamptz(3),
  paused_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint topics_name_is_not_blank check (btrim(name) <> ''),
  constraint topics_tone_is_known check (
    tone in ('professional', 'casual', 'inspirational', 'educational', 'humorous')
  ),
  constraint topics_approval_is_known check (approval in ('settings', 'approve', 'publish')),
  constraint topics_pause_check check (paused_until is null or paused_at is not null)
);
create index topics_user_id_idx on topics (user_id, created_at desc, id desc);
