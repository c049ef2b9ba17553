-- Of a post without a slot the one that was taken from it last, when it was set aside. Of those that were set aside
-- before nobody knows it.
alter table posts
  add column left_slot_date date,
  add column left_slot_number integer,
  add constraint posts_left_slot_is_whole check ((left_slot_date is null) = (left_slot_number is null));
