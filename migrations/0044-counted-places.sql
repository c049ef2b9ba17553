-- A place of a run counts against what its user may have written as soon as the writer has answered for it, whatever
-- came of that. A call that is under way counts when its user stops it, and not when it fails.
alter table run_tries
  add column called_at timestamptz(3),
  add column answered_at timestamptz(3);
