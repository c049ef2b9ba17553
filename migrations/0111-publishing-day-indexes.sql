-- outside a transaction
-- What went out and what failed is counted by its day. Deliveries are written all the time, so the indexes are built beside
-- that; one that was left half built is built anew.
set lock_timeout = '15min';
drop index concurrently if exists deliveries_posted_at_idx;
create index concurrently deliveries_posted_at_idx on deliveries (posted_at) include (was_due_at) where status = 'published';
drop index concurrently if exists deliveries_failed_at_idx;
create index concurrently deliveries_failed_at_idx on deliveries (failed_at) where status = 'failed';
reset lock_timeout;
