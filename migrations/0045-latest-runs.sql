-- What was written last, of everybody.
create index runs_created_at_idx on runs (created_at desc);
