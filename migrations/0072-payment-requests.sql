-- What somebody was asked to pay. It says what is taken for as long as it is good; a proof is compared with it.
create table payment_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete set null,
  reference text not null,
  -- taken: a payment that was not rejected has been submitted for it. closed: another one was verified instead.
  status text not null default 'open',
  posts_per_day integer not null,
  currency_code text not null references currencies,
  upgrade_type text,
  full_price_minor integer not null,
  promo_percent integer not null default 0,
  amount_minor integer not null,
  credit_minor integer not null default 0,
  -- The plan whose unused time the credit pays back, from when on, and how much of that time.
  credit_payment_id uuid references payments,
  credited_from timestamptz(3),
  credited_ms bigint,
  opened_at timestamptz(3) not null default now(),
  good_until timestamptz(3) not null,
  constraint payment_requests_reference_key unique (reference),
  constraint payment_requests_status_is_known check (status in ('open', 'taken', 'closed')),
  constraint payment_requests_upgrade_type_is_known check (upgrade_type in ('immediate', 'next_billing')),
  constraint payment_requests_posts_per_day_range check (posts_per_day between 1 and 5),
  constraint payment_requests_amounts_are_not_negative check (amount_minor >= 0 and credit_minor >= 0),
  constraint payment_requests_credit_is_whole check ((credit_payment_id is null) = (credited_from is null)
    and (credit_payment_id is null) = (credited_ms is null))
);
-- However often a choice is shown, it is one request.
create unique index payment_requests_one_open_key
  on payment_requests (user_id, posts_per_day, currency_code, coalesce(upgrade_type, '')) where status = 'open';
create index payment_requests_user_id_idx on payment_requests (user_id, opened_at);
create index payment_requests_credit_payment_id_idx on payment_requests (credit_payment_id)
  where credit_payment_id is not null;

alter table payments
  add column request_id uuid references payment_requests,
  -- What was really paid for its time: money, and what was unused of the plan whose credit went into it.
  add column worth_minor integer,
  -- Between its start and its end, when another plan stood in its place.
  add column interruptions tstzmultirange not null default '{}',
  -- The first of two admins, where two are needed.
  add column first_verified_by uuid,
  add column first_verified_at timestamptz(3),
  add column rejected_by uuid,
  add constraint payments_worth_is_not_negative check (worth_minor >= 0),
  add constraint payments_first_verified_is_whole check ((first_verified_by is null) = (first_verified_at is null)),
  drop constraint payments_cover_each_instant_once,
  add constraint payments_cover_each_instant_once exclude using gist (
    user_id with =, (tstzmultirange(tstzrange(starts_at, ends_at)) - interruptions) with &&
  ) where (status in ('active', 'expired', 'cancelled'));

-- A picture of the transaction, for admins only.
create table payment_screenshots (
  payment_id uuid primary key references payments on delete cascade,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint payment_screenshots_content_type_is_known check (content_type in ('image/png', 'image/jpeg', 'image/webp'))
);

-- References were made of few things, so two payments may have the same; the first keeps it.
with twice as (
  select id, row_number() over (partition by reference order by created_at, id) as nth from payments
)
update payments set reference = 'TP-' || translate(upper(left(md5(twice.id::text), 6)), '01', 'XY')
from twice where twice.id = payments.id and twice.nth > 1;

update payments set worth_minor = case upgrade_type when 'immediate' then full_price_minor else amount_minor end
where verified_at is not null;

-- What was rejected last may be submitted again, as it was; what was rejected before that has had its turn.
with last as (
  select distinct on (user_id) user_id, id from payments where user_id is not null order by user_id, created_at desc, id desc
)
insert into payment_requests (id, user_id, reference, status, posts_per_day, currency_code, upgrade_type, full_price_minor,
  promo_percent, amount_minor, credit_minor, credit_payment_id, credited_from, credited_ms, opened_at, good_until)
select p.id, p.user_id, p.reference,
  case when p.status <> 'rejected' then 'taken' when last.id is not null then 'open' else 'closed' end,
  p.posts_per_day, p.currency_code, p.upgrade_type, p.full_price_minor,
  case when p.upgrade_type is distinct from 'immediate' and p.full_price_minor > 0
    then greatest(0, round(100.0 * (p.full_price_minor - p.amount_minor) / p.full_price_minor)) else 0 end,
  p.amount_minor,
  case when p.upgrade_type = 'immediate' then greatest(0, p.full_price_minor - p.amount_minor) else 0 end,
  current.id, case when current.id is not null then p.created_at end,
  case when current.id is not null then round(extract(epoch from current.ends_at - p.created_at) * 1000) end,
  p.created_at, coalesce(p.rejected_at, p.created_at) + interval '72 hours'
from payments p
left join last on last.id = p.id
left join payments current on p.upgrade_type = 'immediate' and p.status in ('pending', 'rejected')
  and current.user_id = p.user_id and current.status in ('active', 'expired', 'cancelled')
  and current.starts_at <= p.created_at and current.ends_at > p.created_at;
update payments set request_id = id;

create unique index payments_request_id_key on payments (request_id) where status <> 'rejected';
