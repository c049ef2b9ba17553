create table feedback (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  type text not null,
  title text not null,
  description text not null,
  rating integer,
  status text not null default 'new',
  -- The number of rows in feedback_votes, kept by a trigger.
  upvotes integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint feedback_type_is_known check (type in ('general', 'feature_request', 'improvement', 'bug', 'compliment')),
  constraint feedback_status_is_known
    check (status in ('new', 'reviewed', 'planned', 'in_progress', 'completed', 'declined')),
  constraint feedback_title_length check (char_length(title) between 1 and 120),
  constraint feedback_description_length check (char_length(description) between 1 and 4000),
  constraint feedback_rating_range check (rating between 1 and 5),
  constraint feedback_upvotes_are_not_negative check (upvotes >= 0)
);
create index feedback_upvotes_idx on feedback (upvotes, created_at, id);
create index feedback_created_at_idx on feedback (created_at, id);
create index feedback_user_id_idx on feedback (user_id, created_at, id);
create index feedback_status_idx on feedback (status, created_at, id);
-- The search, and existing feedback that a new title may repeat.
create index feedback_words_idx on feedback using gin ((title || ' ' || description) gin_trgm_ops);
create index feedback_title_idx on feedback using gin (title gin_trgm_ops);

create table feedback_votes (
  feedback_id uuid not null references feedback on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (feedback_id, user_id)
);
create index feedback_votes_user_id_idx on feedback_votes (user_id);

create function count_feedback_votes() returns trigger language plpgsql as $$
begin
  update feedback set upvotes = upvotes + case tg_op when 'INSERT' then 1 else -1 end
  where id = coalesce(new.feedback_id, old.feedback_id);
  return null;
end $$;
create trigger feedback_votes_counted after insert or delete on feedback_votes
for each row execute function count_feedback_votes();
