-- What pages were looked at. Written in batches by the web process; nothing here says whose account it was.
create table visits (
  id bigint generated always as identity primary key,
  visited_at timestamptz(3) not null,
  -- Whole for 30 days, then the network alone; null when it is not known.
  address inet,
  is_whole boolean not null,
  session_id text not null constraint visits_session_id_check check (length(session_id) between 1 and 100),
  is_returning boolean not null,
  page text not null,
  country text not null,
  city text not null,
  device text not null,
  browser text not null,
  system text not null,
  language text not null,
  screen_width integer,
  screen_height integer
);
create index visits_visited_at_idx on visits (visited_at);
create index visits_whole_idx on visits (visited_at) where is_whole;

-- Who has been seen on a day (page '') and on which page, to count each once. A visitor is a keyed hash of the day, the
-- address and the browser: it says nothing on another day. Kept for as long as visits of the day may come in.
create table visit_sightings (
  day date not null,
  visitor bigint not null,
  page text not null,
  primary key (day, visitor, page)
);

-- Counted in the transaction that writes the visits, and kept when these go: of a day in UTC, and of all days. A visitor
-- counts once a day. `kind` is all, country, city, device, browser, system or page; `value` '' is what is not known.
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

-- Who comes often. Forgotten when they have not come for 30 days.
create table visit_addresses (
  address inet primary key,
  visits bigint not null,
  last_visit_at timestamptz(3) not null,
  country text not null,
  city text not null,
  devices text[] not null,
  browsers text[] not null
);
create index visit_addresses_visits_idx on visit_addresses (visits desc, last_visit_at desc);
create index visit_addresses_last_visit_at_idx on visit_addresses (last_visit_at);
