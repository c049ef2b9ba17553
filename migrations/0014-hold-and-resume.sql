-- `resumed_at` is when LinkedIn was connected where no living connection was. Posts whose time had passed by then
-- wait for their owner's choice, and after three days without one they take the next free slots ('none').
alter table linkedin_connections
  add column resumed_at timestamptz(3),
  add column resume_choice text,
  add constraint linkedin_connections_resume_choice_is_known check (
    resume_choice in ('slots', 'latest', 'discard', 'none')
  );
