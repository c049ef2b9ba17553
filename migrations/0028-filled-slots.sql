-- A run that writes one post for one open slot (`Fill it`), and when its post goes out instead where that slot was
-- taken or past when it was written.
alter table runs
  add column slot_date date,
  add column slot_number integer,
  add column instead_at timestamptz(3),
  add constraint runs_slot_is_whole check ((slot_date is null) = (slot_number is null));

-- One press twice writes once.
create unique index runs_slot_key on runs (user_id, slot_date, slot_number)
  where slot_date is not null and status <> 'complete';
