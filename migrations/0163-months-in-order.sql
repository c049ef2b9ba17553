-- As in 0157, but months are dropped before others are made.
-- Drops the tables of the months in which all is older than `oldest` and no address is whole: what was counted of an address goes
-- when it is cut. And makes those of a month and of the two after it, with what came for them already. Tables are their owner's to
-- make, so the service calls this for them.
create or replace function keep_visit_months(moment timestamptz, oldest timestamptz) returns void
language plpgsql security definer
set search_path = public, pg_temp
set timezone = 'UTC'
set lock_timeout = '5s'
as $$
declare
  month timestamptz;
  name text;
  has_addresses boolean;
begin
  -- A drop locks all of `visits`: first, as who reads it locks `visits` and then its months.
  for name in
    select relname from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'visits'::regclass and relname ~ '^visits_\d{4}_\d\d$'
      and to_timestamp(right(relname, 7), 'YYYY_MM') + interval '1 month' <= oldest
  loop
    execute format('select exists (select from %I where is_whole)', name) into has_addresses;
    if not has_addresses then execute format('drop table %I', name); end if;
  end loop;
  for ahead in 0..2 loop
    month := date_trunc('month', moment) + ahead * interval '1 month';
    name := 'visits_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    begin
      execute format('create table %I (like visits including defaults including constraints)', name);
      execute format('with came as (delete from visits_other where visited_at >= $1 and visited_at < $2 returning *)
        insert into %I select * from came', name) using month, month + interval '1 month';
      execute format('alter table visits attach partition %I for values from (%L) to (%L)', name, month,
        month + interval '1 month');
    exception when invalid_object_definition then
      null; -- The first table has the month: a clock was ahead when that was made, or is behind now.
    end;
  end loop;
end $$;
