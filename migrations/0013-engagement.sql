-- What its owner has read on LinkedIn about a published post and typed in: an ordinary app may not read it.
create table engagements (
  post_id uuid primary key references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  likes integer,
  comments integer,
  shares integer,
  impressions integer,
  entered_at timestamptz(3) not null default now(),
  constraint engagements_likes_range check (likes >= 0 and likes <= 1000000000),
  constraint engagements_comments_range check (comments >= 0 and comments <= 1000000000),
  constraint engagements_shares_range check (shares >= 0 and shares <= 1000000000),
  constraint engagements_impressions_range check (impressions >= 0 and impressions <= 1000000000),
  constraint engagements_say_something check (num_nonnulls(likes, comments, shares, impressions) > 0)
);
create index engagements_user_id_idx on engagements (user_id);
