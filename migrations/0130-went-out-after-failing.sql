-- outside a transaction
-- What went out after it had failed is taken from the day on which it failed. There is little of it, so the index is small.
set lock_timeout = '15min';
drop index concurrently if exists deliveries_out_after_all_idx;
create index concurrently deliveries_out_after_all_idx on deliveries (posted_at) include (failed_at)
  where status = 'published' and failed_at is not null;
reset lock_timeout;
