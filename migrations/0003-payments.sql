create table currencies (
  code text primary key,
  symbol text not null,
  name text not null,
  position integer not null,
  constraint currencies_code_is_iso check (code ~ '^[A-Z]{3}$')
);

create table prices (
  currency_code text not null references currencies,
  posts_per_day integer not null,
  amount_minor integer not null,
  primary key (currency_code, posts_per_day),
  constraint prices_posts_per_day_range check (posts_per_day between 1 and 5),
  constraint prices_amount_is_positive check (amount_minor > 0)
);

insert into currencies (code, symbol, name, position) values
  ('USD', '$', 'US Dollar', 1),
  ('EUR', '€', 'Euro', 2),
  ('GBP', '£', 'British Pound', 3),
  ('INR', '₹', 'Indian Rupee', 4),
  ('AED', 'د.إ', 'UAE Dirham', 5);

insert into prices (currency_code, posts_per_day, amount_minor) values
  ('USD', 1, 600), ('USD', 2, 1900), ('USD', 3, 3900), ('USD', 4, 6900), ('USD', 5, 9900),
  ('EUR', 1, 600), ('EUR', 2, 1800), ('EUR', 3, 3600), ('EUR', 4, 6400), ('EUR', 5, 9200),
  ('GBP', 1, 500), ('GBP', 2, 1500), ('GBP', 3, 3100), ('GBP', 4, 5500), ('GBP', 5, 7900),
  ('INR', 1, 49900), ('INR', 2, 159900), ('INR', 3, 329900), ('INR', 4, 579900), ('INR', 5, 829900),
  ('AED', 1, 2200), ('AED', 2, 6900), ('AED', 3, 14300), ('AED', 4, 25300), ('AED', 5, 36300);

-- What a user was asked to pay, valid until `expires_at`; a submitted payment is compared with it.
create table payment_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete set null,
  reference text not null,
  -- taken: a payment that was not rejected has been submitted for it. closed: a payment for another request was verified.
  status text not null default 'open',
  posts_per_day integer not null,
  currency_code text not null references currencies,
  upgrade_type text,
  full_price_minor integer not null,
  promo_percent integer not null default 0,
  amount_minor integer not null,
  credit_minor integer not null default 0,
  -- The plan whose unused time the credit pays back, from when on, and how much of that time.
  credit_payment_id uuid,
  credited_from timestamptz(3),
  credited_ms bigint,
  opened_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint payment_requests_reference_key unique (reference),
  constraint payment_requests_status_is_known check (status in ('open', 'taken', 'closed')),
  constraint payment_requests_upgrade_type_is_known check (upgrade_type in ('immediate', 'next_billing')),
  constraint payment_requests_posts_per_day_range check (posts_per_day between 1 and 5),
  constraint payment_requests_amounts_are_not_negative check (amount_minor >= 0 and credit_minor >= 0),
  constraint payment_requests_credit_is_whole check (
    (credit_payment_id is null) = (credited_from is null) and (credit_payment_id is null) = (credited_ms is null)
  )
);
-- One choice has one open request, however often it is shown.
create unique index payment_requests_one_open_key
  on payment_requests (user_id, posts_per_day, currency_code, coalesce(upgrade_type, '')) where status = 'open';
create index payment_requests_user_id_idx on payment_requests (user_id, opened_at);
create index payment_requests_credit_payment_id_idx on payment_requests (credit_payment_id)
  where credit_payment_id is not null;

-- A payment is one purchase, from the submitted transaction to the end of its plan. Bookkeeping keeps it without its payer
-- when the account is erased.
create table payments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete set null,
  request_id uuid references payment_requests,
  reference text not null,
  status text not null default 'pending',
  method text not null,
  posts_per_day integer not null,
  currency_code text not null references currencies,
  amount_minor integer not null,
  full_price_minor integer not null,
  -- What was paid for the time of the plan: the money, and the credit that went into it.
  worth_minor integer,
  transaction_id text not null,
  upgrade_type text,
  payer_name text not null default '',
  payer_email text not null default '',
  -- Hashes of the screenshot as it was uploaded and as it was re-encoded. They outlive the picture, as the transaction ID does.
  screenshot_hashes text[],
  created_at timestamptz(3) not null default now(),
  -- The first of two admins, where two are needed. Admins are no foreign keys: their ids stay when their accounts go.
  first_verified_by uuid,
  first_verified_at timestamptz(3),
  verified_by uuid,
  verified_at timestamptz(3),
  rejected_by uuid,
  rejected_at timestamptz(3),
  reject_reason text,
  cancelled_at timestamptz(3),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  -- Times between start and end in which another plan took its place.
  interruptions tstzmultirange not null default '{}',
  -- Paid for a request that was not valid any more: its length is the share of a month that the full price gives, without
  -- the credit and promotion of the request.
  is_prorated boolean not null default false,
  -- Not a whole month: the rest of a plan, or one with days that an admin gave. It keeps its length wherever it is moved.
  keeps_length boolean not null default false,
  constraint payments_status_is_known check (status in ('pending', 'active', 'expired', 'cancelled', 'rejected')),
  constraint payments_method_is_known check (method in ('upi', 'paypal')),
  constraint payments_upgrade_type_is_known check (upgrade_type in ('immediate', 'next_billing')),
  constraint payments_posts_per_day_range check (posts_per_day between 1 and 5),
  constraint payments_amount_is_not_negative check (amount_minor >= 0),
  constraint payments_worth_is_not_negative check (worth_minor >= 0),
  constraint payments_transaction_id_is_canonical check (transaction_id ~ '^[A-Z0-9]{6,35}$'),
  constraint payments_period_is_whole check ((starts_at is null) = (ends_at is null)),
  constraint payments_active_has_period check (status in ('pending', 'rejected') or starts_at is not null),
  constraint payments_first_verified_is_whole check ((first_verified_by is null) = (first_verified_at is null)),
  constraint payments_without_payer check (
    user_id is not null or (status not in ('pending', 'active') and payer_name = '' and payer_email = '')
  ),
  constraint payments_cover_each_instant_once exclude using gist (
    user_id with =, (tstzmultirange(tstzrange(starts_at, ends_at)) - interruptions) with &&
  ) where (status in ('active', 'expired', 'cancelled'))
);
alter table payment_requests
  add constraint payment_requests_credit_payment_id_fkey foreign key (credit_payment_id) references payments;

create unique index payments_one_pending_per_user on payments (user_id) where status = 'pending';
create unique index payments_transaction_id_key on payments (method, transaction_id) where status <> 'rejected';
create unique index payments_request_id_key on payments (request_id) where status <> 'rejected';
create index payments_user_id_idx on payments (user_id, created_at desc, id desc);
create index payments_pending_idx on payments (created_at) where status = 'pending';
-- The active plans that end, that have not begun, and that another plan interrupts.
create index payments_ends_at_idx on payments (ends_at) where status = 'active';
create index payments_starts_at_idx on payments (starts_at) where status = 'active';
create index payments_interrupted_idx on payments (upper(interruptions)) where status = 'active';
-- The admins' list of payments: newest first, by status, by words and by screenshot.
create index payments_created_at_idx on payments (created_at desc, id desc);
create index payments_status_idx on payments (status, created_at desc, id desc);
create index payments_words_idx on payments
  using gin ((payer_name || e'\n' || payer_email || e'\n' || reference || e'\n' || coalesce(transaction_id, '')) gin_trgm_ops);
create index payments_screenshot_hashes_idx on payments using gin (screenshot_hashes);

-- A picture of the transaction, for admins only.
create table payment_screenshots (
  payment_id uuid primary key references payments on delete cascade,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint payment_screenshots_content_type_is_known check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint payment_screenshots_bytes_range check (octet_length(bytes) between 1 and 4194304)
);

-- users.has_plan
create function keep_has_plan() returns trigger language plpgsql as $$
declare
  theirs uuid[] := array[old.user_id, new.user_id];
begin
  -- The lock comes first: changes of another transaction to the same user's payments are visible only to the next statement.
  perform from users where id = any(theirs) order by id for no key update;
  update users set has_plan = not has_plan where id = any(theirs)
    and has_plan <> exists (select from payments where payments.user_id = users.id and status = 'active');
  return null;
end $$;

create trigger payments_has_plan after insert on payments
for each row when (new.status = 'active') execute function keep_has_plan();
create trigger payments_has_plan_otherwise after update on payments
for each row when ((old.user_id, old.status = 'active') is distinct from (new.user_id, new.status = 'active'))
execute function keep_has_plan();
create trigger payments_has_plan_no_more after delete on payments
for each row when (old.status = 'active') execute function keep_has_plan();

-- Sums of the verified payments in each currency, for each day in UTC and each quarter of an hour: time zones differ by whole
-- quarters. Bigints, so that no sum overflows.
create table earnings (
  span text not null,
  currency_code text not null references currencies,
  begins timestamptz(3) not null,
  payments bigint not null,
  full_minor bigint not null,
  credit_minor bigint not null,
  paid_minor bigint not null,
  primary key (span, currency_code, begins),
  constraint earnings_span_is_known check (span in ('day', 'quarter'))
);

create function add_to_earnings(times integer, p payments) returns void language sql as $$
  insert into earnings
  select span, p.currency_code, begins, times,
    -- A share of a month costs what was paid for it.
    times * case when p.is_prorated then p.amount_minor else p.full_price_minor end,
    times * case when p.is_prorated then 0
      else coalesce((select credit_minor from payment_requests where id = p.request_id), 0) end,
    times * p.amount_minor
  from (values ('day', date_trunc('day', p.verified_at, 'UTC')),
    ('quarter', date_bin('15 minutes', p.verified_at, '2000-01-01Z'))) as spans (span, begins)
  where p.verified_at is not null
  on conflict (span, currency_code, begins) do update set
    payments = earnings.payments + excluded.payments, full_minor = earnings.full_minor + excluded.full_minor,
    credit_minor = earnings.credit_minor + excluded.credit_minor, paid_minor = earnings.paid_minor + excluded.paid_minor
$$;

create function keep_earnings() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform add_to_earnings(-1, old); end if;
  if tg_op <> 'DELETE' then perform add_to_earnings(1, new); end if;
  return null;
end $$;

create trigger payments_earned after insert on payments
for each row when (new.verified_at is not null) execute function keep_earnings();
create trigger payments_earned_otherwise after update on payments
for each row when (
  (old.verified_at, old.currency_code, old.amount_minor, old.full_price_minor, old.is_prorated, old.request_id)
  is distinct from
  (new.verified_at, new.currency_code, new.amount_minor, new.full_price_minor, new.is_prorated, new.request_id))
execute function keep_earnings();
create trigger payments_earned_no_more after delete on payments
for each row when (old.verified_at is not null) execute function keep_earnings();

-- The credit of a request counts when its payment is verified. When it is changed later, the old credit is taken off the sums
-- before the change and the new one is added after it.
create function keep_credit_earned() returns trigger language plpgsql as $$
begin
  -- The lock comes first: changes of another transaction to the payment are visible only to the next statement.
  perform from payments where request_id = new.id and status <> 'rejected' for no key update;
  perform add_to_earnings(case tg_when when 'BEFORE' then -1 else 1 end, payments)
  from payments where request_id = new.id and status <> 'rejected';
  return new;
end $$;

create trigger payment_requests_earned before update on payment_requests
for each row when (old.credit_minor <> new.credit_minor) execute function keep_credit_earned();
create trigger payment_requests_earned_otherwise after update on payment_requests
for each row when (old.credit_minor <> new.credit_minor) execute function keep_credit_earned();
