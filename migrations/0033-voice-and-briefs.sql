-- How a user sounds and for whom they write, beside the headline and the notes on `users`.
create table voices (
  user_id uuid primary key references users on delete cascade,
  audience text not null default '',
  language text not null default 'en',
  words_to_use text[] not null default '{}',
  words_to_avoid text[] not null default '{}',
  has_emoji boolean not null default false,
  -- When they answered, or put away, the questions that new users are asked.
  interviewed_at timestamptz(3),
  constraint voices_language_is_code check (language ~ '^[a-z]{2}$')
);

-- Texts that a user wrote, as examples of their voice.
create table voice_examples (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  content text not null,
  created_at timestamptz(3) not null default now(),
  constraint voice_examples_content_is_not_blank check (btrim(content) <> '')
);
create index voice_examples_user_id_idx on voice_examples (user_id, created_at);

-- Short true statements of a user, for one topic or for all. What was said of a topic that is deleted is true still.
create table facts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  topic_id uuid references topics on delete set null,
  kind text not null,
  content text not null,
  -- When the writer was given it last: facts take turns.
  last_given_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint facts_kind_is_known check (kind in ('project', 'number', 'opinion', 'lesson', 'question')),
  constraint facts_content_is_not_blank check (btrim(content) <> '')
);
create index facts_user_id_idx on facts (user_id, created_at desc, id desc);
create index facts_topic_id_idx on facts (topic_id);

-- What was decided about a post before the writer was asked, what it answered, and how specific that is. The post may
-- have been edited since; `content` is the text as it was written.
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

-- Which posts say what a fact says.
create table fact_uses (
  fact_id uuid not null references facts on delete cascade,
  post_id uuid not null references posts on delete cascade,
  primary key (fact_id, post_id)
);
create index fact_uses_post_id_idx on fact_uses (post_id);
