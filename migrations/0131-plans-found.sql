-- outside a transaction
-- Admins find plans by a text and by their status, newest first, however many there are.
set lock_timeout = '15min';
drop index concurrently if exists payments_words_idx;
create index concurrently payments_words_idx on payments
  using gin ((payer_name || e'\n' || payer_email || e'\n' || reference || e'\n' || coalesce(transaction_id, '')) gin_trgm_ops);
drop index concurrently if exists payments_status_idx;
create index concurrently payments_status_idx on payments (status, created_at desc, id desc);
reset lock_timeout;
