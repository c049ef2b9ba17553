-- A click counts once an hour for each mail: the time of the mail is signed in its links, and nothing else of the key is
-- anybody's choice. Null for what was written before links were signed.
alter table email_clicks
  add column mailed_at timestamptz(3),
  drop constraint email_clicks_once_key,
  add constraint email_clicks_once_key unique (address, mailed_at, hour);
-- For the file that its owner takes along, some rows at a time.
drop index email_clicks_user_id_idx;
create index email_clicks_user_id_idx on email_clicks (user_id, clicked_at, id) where user_id is not null;

-- Counted in the transaction that writes a click, and kept when it goes: `span` is day, week, month or ever, which begins
-- at '-infinity'. An address counts once in each.
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
-- How many clicks of an address are kept: it goes with the last of them.
create table click_addresses (
  address text primary key,
  user_id uuid references users on delete cascade,
  clicks bigint not null,
  last_click_at timestamptz(3) not null
);
create index click_addresses_clicks_idx on click_addresses (clicks desc, last_click_at desc);
create index click_addresses_user_id_idx on click_addresses (user_id) where user_id is not null;

insert into click_spans (span, begins, clicks, addresses)
select span, begins, count(*), count(distinct address)
from email_clicks, lateral (values
  ('day', (clicked_at at time zone 'UTC')::date),
  ('week', date_trunc('week', clicked_at at time zone 'UTC')::date),
  ('month', date_trunc('month', clicked_at at time zone 'UTC')::date),
  ('ever', '-infinity'::date)) as part (span, begins)
group by span, begins;
insert into click_totals (kind, value, clicks)
select kind, value, count(*)
from email_clicks, lateral (values ('device', device), ('browser', browser)) as part (kind, value)
group by kind, value;
insert into click_addresses (address, user_id, clicks, last_click_at)
select address, (array_agg(user_id) filter (where user_id is not null))[1], count(*), max(clicked_at)
from email_clicks group by address;

-- The visits of an address that are kept whole, so nothing of it is older than they are. With each kind of device and
-- browser the time of its last visit.
truncate visit_addresses;
alter table visit_addresses
  alter column devices type jsonb using '{}',
  alter column browsers type jsonb using '{}';
drop index visit_addresses_last_visit_at_idx;
insert into visit_addresses
select address, sum(visits), max(last_at), max(country), max(city),
  jsonb_object_agg(device, last_at) filter (where is_device), jsonb_object_agg(browser, last_at) filter (where not is_device)
from (
  select address, device, null as browser, true as is_device, count(*) as visits, max(visited_at) as last_at,
    max(country) as country, max(city) as city
  from visits where is_whole and address is not null group by address, device
  union all
  select address, null, browser, false, 0, max(visited_at), '', ''
  from visits where is_whole and address is not null group by address, browser
) as part
group by address;
