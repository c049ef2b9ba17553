-- What a post said before it was written again, or could say: each can take the place of its text.
create table post_versions (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  content text not null,
  hashtags text[] not null default '{}',
  -- What stood in `briefs` for this text; null for one that its owner put into words of their own.
  made jsonb,
  created_at timestamptz(3) not null default now()
);
create index post_versions_post_id_idx on post_versions (post_id, created_at desc);
create index post_versions_user_id_idx on post_versions (user_id);

-- A run that writes a post again, as its author asked, when its text was at a revision.
alter table runs
  add column post_id uuid references posts on delete cascade,
  add column instruction text,
  add column post_revision integer;
create index runs_post_id_idx on runs (post_id, created_at desc) where post_id is not null;
-- One press twice writes once.
create unique index runs_post_key on runs (post_id) where post_id is not null and status <> 'complete';
