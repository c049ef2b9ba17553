-- What verified payments came to in each currency, of each day in UTC and of each quarter of an hour: the clocks of readers
-- differ by whole quarters. Bigints, so that no sum is too large.
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
    times * case when p.by_share then p.amount_minor else p.full_price_minor end,
    times * case when p.by_share then 0
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
  (old.verified_at, old.currency_code, old.amount_minor, old.full_price_minor, old.by_share, old.request_id)
  is distinct from
  (new.verified_at, new.currency_code, new.amount_minor, new.full_price_minor, new.by_share, new.request_id))
execute function keep_earnings();
create trigger payments_earned_no_more after delete on payments
for each row when (old.verified_at is not null) execute function keep_earnings();

-- What is not verified yet waits for the triggers, so nothing is left out and nothing counts twice.
insert into earnings
select span, payments.currency_code, begins, count(*), sum(full_minor), sum(cost.credit_minor), sum(payments.amount_minor)
from payments left join payment_requests on payment_requests.id = request_id,
  lateral (select case when by_share then payments.amount_minor else payments.full_price_minor end as full_minor,
    case when by_share then 0 else coalesce(payment_requests.credit_minor, 0) end as credit_minor) as cost,
  lateral (values ('day', date_trunc('day', verified_at, 'UTC')),
    ('quarter', date_bin('15 minutes', verified_at, '2000-01-01Z'))) as spans (span, begins)
where verified_at is not null
group by span, payments.currency_code, begins order by span, begins;
