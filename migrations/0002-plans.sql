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

-- One purchase is one row, from the submitted transaction to the end of its month.
create table payments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  reference text not null,
  status text not null default 'pending',
  method text not null,
  posts_per_day integer not null,
  currency_code text not null references currencies,
  amount_minor integer not null,
  full_price_minor integer not null,
  transaction_id text not null,
  upgrade_type text,
  payer_name text not null default '',
  payer_email text not null default '',
  created_at timestamptz(3) not null default now(),
  verified_at timestamptz(3),
  verified_by uuid references users on delete set null,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  cancelled_at timestamptz(3),
  rejected_at timestamptz(3),
  reject_reason text,
  constraint payments_status_is_known check (status in ('pending', 'active', 'expired', 'cancelled', 'rejected')),
  constraint payments_method_is_known check (method in ('upi', 'paypal')),
  constraint payments_upgrade_type_is_known check (upgrade_type in ('immediate', 'next_billing')),
  constraint payments_posts_per_day_range check (posts_per_day between 1 and 5),
  constraint payments_amount_is_not_negative check (amount_minor >= 0),
  constraint payments_transaction_id_is_canonical check (transaction_id ~ '^[A-Z0-9]{6,35}$'),
  constraint payments_period_is_whole check ((starts_at is null) = (ends_at is null)),
  constraint payments_active_has_period check (status in ('pending', 'rejected') or starts_at is not null),
  constraint payments_cover_each_instant_once exclude using gist (
    user_id with =, tstzrange(starts_at, ends_at) with &&
  ) where (status in ('active', 'expired', 'cancelled'))
);
create unique index payments_one_pending_per_user on payments (user_id) where status = 'pending';
create unique index payments_transaction_id_key on payments (method, transaction_id) where status <> 'rejected';
create index payments_user_id_idx on payments (user_id, created_at desc, id desc);
create index payments_pending_idx on payments (created_at) where status = 'pending';
create index payments_ends_at_idx on payments (ends_at) where status = 'active';
