-- Page views, written in batches by the web process and without any user. Each month is a partition, which is dropped as a
-- whole when it is old. The ids come from a sequence: identity columns of partitioned tables need Postgres 17.
create sequence visits_id_seq as bigint;
create table visits (
  id bigint not null default nextval('visits_id_seq'),
  visited_at timestamptz(3) not null,
  -- Whole for 30 days, then the network alone; null when unknown.
  address inet,
  is_whole boolean not null,
  session_id text not null check (length(session_id) between 1 and 100),
  is_returning boolean not null,
  page text not null,
  country text not null,
  city text not null,
  device text not null,
  browser text not null,
  system text not null,
  language text not null,
  screen_width integer,
  screen_height integer,
  primary key (visited_at, id)
) partition by range (visited_at);
alter sequence visits_id_seq owned by visits.id;
create index visits_whole_idx on visits (visited_at) where is_whole;
-- Visits of a month that has no partition yet.
create table visits_other partition of visits default;

-- The first partition takes the current month and everything before it.
do $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
begin
  execute format('create table %I partition of visits for values from (minvalue) to (%L)',
    'visits_' || to_char(month, 'YYYY_MM'), (month + interval '1 month') at time zone 'UTC');
end $$;

-- Drops the partitions of months in which everything is older than `oldest` and no address is whole: what is counted of an
-- address goes when it is cut. Creates the partitions of a month and of the two after it, and moves what came for them. The
-- owner alone creates tables, so the worker calls this function of the owner.
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
revoke execute on function keep_visit_months from public;
select keep_visit_months(now(), '-infinity');

-- The visitors of a day, on each page and on all (page ''), to count each once. A visitor is a keyed hash of day, address and
-- browser, which is another one on the next day. Deleted when no more visits of the day can come.
create table visit_sightings (
  day date not null,
  visitor bigint not null,
  page text not null,
  primary key (day, visitor, page)
);

-- Counts of each day (UTC) and of all days, written with the visits and kept when these are deleted. A visitor counts once a
-- day. `kind` is all, country, city, device, browser, system or page; `value` is '' when unknown.
create table visit_days (
  day date not null,
  kind text not null,
  value text not null,
  visits bigint not null,
  visitors bigint not null,
  primary key (kind, day, value)
);
create table visit_totals (
  kind text not null,
  value text not null,
  visits bigint not null,
  visitors bigint not null,
  primary key (kind, value)
);

-- Whole addresses with the number of their visits; a row goes when its last visit is cut. `devices` and `browsers` have the
-- latest visit of each.
create table visit_addresses (
  address inet primary key,
  visits bigint not null,
  last_visit_at timestamptz(3) not null,
  country text not null,
  city text not null,
  devices jsonb not null,
  browsers jsonb not null
);
create index visit_addresses_visits_idx on visit_addresses (visits desc, last_visit_at desc);

-- Clicks on links in our mails.
create table email_clicks (
  id bigint generated always as identity primary key,
  address text not null,
  user_id uuid references users on delete cascade,
  campaign text not null,
  page text not null,
  device text not null,
  browser text not null,
  system text not null,
  -- The time of the mail, which is signed in its links.
  mailed_at timestamptz(3),
  clicked_at timestamptz(3) not null,
  hour timestamptz(0) not null,
  -- A mail counts once an hour, and nothing in the key is the visitor's choice: nobody can fill the table.
  constraint email_clicks_once_key unique (address, mailed_at, hour)
);
create index email_clicks_clicked_at_idx on email_clicks (clicked_at);
create index email_clicks_user_id_idx on email_clicks (user_id, clicked_at, id) where user_id is not null;

-- Counts written with a click and kept when it is deleted. `span` is day, week, month or ever, which begins at '-infinity'. An
-- address counts once in each.
create table click_spans (
  span text not null,
  begins date not null,
  clicks bigint not null,
  addresses bigint not null,
  primary key (span, begins)
);
-- `kind` is device or browser.
create table click_totals (
  kind text not null,
  value text not null,
  clicks bigint not null,
  primary key (kind, value)
);
-- The number of kept clicks of an address; the row goes with the last of them.
create table click_addresses (
  address text primary key,
  user_id uuid references users on delete cascade,
  clicks bigint not null,
  last_click_at timestamptz(3) not null
);
create index click_addresses_clicks_idx on click_addresses (clicks desc, last_click_at desc);
create index click_addresses_user_id_idx on click_addresses (user_id) where user_id is not null;
