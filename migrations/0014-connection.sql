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

-- An admin's stop stands beside LinkedIn's daily limit: neither ends the other. Without an end it lasts until resumed.
alter table publishing_switch
  add column stopped_at timestamptz(3),
  add column stopped_until timestamptz(3),
  add column stop_reason text,
  add constraint publishing_switch_stop_has_reason check (stopped_at is null or stop_reason is not null);
