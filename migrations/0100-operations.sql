-- What LinkedIn was asked for on each day (UTC), as its quotas count: posts to create, and all else. `limit_at` is how
-- many it had been when LinkedIn took no more of the whole application.
create table linkedin_days (
  day date not null,
  resource text not null,
  calls integer not null default 0 constraint linkedin_days_calls_check check (calls >= 0),
  limit_at integer,
  constraint linkedin_days_pkey primary key (day, resource),
  constraint linkedin_days_resource_is_known check (resource in ('posts', 'other'))
);

-- The few posts of which their owners have to say whether they are on LinkedIn.
create index deliveries_unconfirmed_idx on deliveries (post_id) where is_unconfirmed and deleted_at is null;
