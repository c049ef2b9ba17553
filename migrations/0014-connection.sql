-- `resumed_at` is when LinkedIn was connected where no living connection was. Posts whose time had passed by then
-- wait for their owner's choice, and after three days without one they take the next free slots ('none').
alter table linkedin_connections
  add column resumed_at timestamptz(3),
  add column resume_choice text,
  add constraint linkedin_connections_resume_choice_is_known check (
    resume_choice in ('slots', 'latest', 'discard', 'none')
  );

-- A test post goes to the member's connections only; every other post to everybody. An attempt keeps what it sent.
alter table posts
  add column visibility text not null default 'PUBLIC',
  add constraint posts_visibility_is_known check (visibility in ('PUBLIC', 'CONNECTIONS'));
alter table publications
  add column visibility text not null default 'PUBLIC',
  add constraint publications_visibility_is_known check (visibility in ('PUBLIC', 'CONNECTIONS'));
create index posts_test_idx on posts (user_id, created_at desc) where visibility = 'CONNECTIONS';
