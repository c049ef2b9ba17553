-- The visits of a month stand in a table of their own: it is written for a month, is cut and emptied when it is old, and goes
-- as a whole, with all that this left behind in it and in its indexes. The first one has what came before, too.
alter table visits rename to visits_first;
alter table visits_first alter column id drop identity;
-- The last number is found by the key of before, which is still there.
create sequence visits_id_seq as bigint;
select setval('visits_id_seq', coalesce(max(id), 0) + 1, false) from visits_first;
alter table visits_first alter column id set default nextval('visits_id_seq'), drop constraint visits_pkey;
alter table visits_first add constraint visits_first_pkey primary key using index visits_order_key;
drop index visits_visited_at_idx;
alter index visits_whole_idx rename to visits_first_whole_idx;

create table visits (
  like visits_first including defaults including constraints,
  primary key (visited_at, id)
) partition by range (visited_at);
alter sequence visits_id_seq owned by visits.id;
create index visits_whole_idx on visits (visited_at) where is_whole;
-- Of a month that nobody made a table for, until somebody does.
create table visits_other partition of visits default;

do $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
  ends timestamptz := (month + interval '1 month') at time zone 'UTC';
begin
  -- By a clock that was ahead, or of the next month, which began while this waited for the table.
  with ahead as (delete from visits_first where visited_at >= ends returning *)
  insert into visits_other select * from ahead;
  execute format('alter table visits attach partition visits_first for values from (minvalue) to (%L)', ends);
  execute format('alter table visits_first rename to %I', 'visits_' || to_char(month, 'YYYY_MM'));
end $$;

-- Makes the tables of a month and of the two after it, with what came for them already, and drops those in which all is older than
-- `oldest` and no address is whole: what was counted of an address goes when it is cut. Tables are their owner's to make, so the
-- service calls this for them.
create function keep_visit_months(moment timestamptz, oldest timestamptz) returns void
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
  for name in
    select relname from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'visits'::regclass and relname ~ '^visits_\d{4}_\d\d$'
      and to_timestamp(right(relname, 7), 'YYYY_MM') + interval '1 month' <= oldest
  loop
    execute format('select exists (select from %I where is_whole)', name) into has_addresses;
    if not has_addresses then execute format('drop table %I', name); end if;
  end loop;
end $$;
revoke execute on function keep_visit_months from public;
select keep_visit_months(now(), '-infinity');
