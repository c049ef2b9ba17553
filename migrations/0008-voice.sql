-- How a user sounds and for whom they write, beside the headline and the notes in users.
create table voices (
  user_id uuid primary key references users on delete cascade,
  audience text not null default '',
  language text not null default 'en',
  words_to_use text[] not null default '{}',
  words_to_avoid text[] not null default '{}',
  has_emoji boolean not null default false,
  -- When they answered or hid the questions that new users are asked.
  interviewed_at timestamptz(3),
  constraint voices_language_is_code check (language ~ '^[a-z]{2}$'),
  -- The bounds of the forms. Forms count UTF-16 units, which are never fewer than the characters counted here.
  constraint voices_audience_length check (char_length(audience) <= 200),
  constraint voices_words_to_use_count check (cardinality(words_to_use) <= 30),
  constraint voices_words_to_avoid_count check (cardinality(words_to_avoid) <= 30)
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

-- Short true statements of a user, for one topic or for all. A fact outlives its topic.
create table facts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  topic_id uuid references topics on delete set null,
  kind text not null,
  content text not null,
  -- The question for new users that it answers.
  question smallint,
  -- When it was last in a brief: facts take turns.
  last_given_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint facts_kind_is_known check (kind in ('project', 'number', 'opinion', 'lesson', 'question')),
  constraint facts_content_is_not_blank check (btrim(content) <> ''),
  constraint facts_content_length check (char_length(content) <= 300),
  constraint facts_question_range check (question between 1 and 5)
);
create index facts_user_id_idx on facts (user_id, created_at desc, id desc);
create index facts_topic_id_idx on facts (topic_id);
create unique index facts_question_key on facts (user_id, question) where question is not null;

-- The posts that use a fact.
create table fact_uses (
  fact_id uuid not null references facts on delete cascade,
  post_id uuid not null references posts on delete cascade,
  primary key (fact_id, post_id)
);
create index fact_uses_post_id_idx on fact_uses (post_id);
