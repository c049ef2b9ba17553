-- What was received on each of the last days.
create index payments_verified_at_idx on payments (verified_at) include (currency_code, amount_minor)
  where verified_at is not null;
