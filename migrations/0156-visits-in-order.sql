-- outside a transaction
set lock_timeout = '15min';
-- What becomes the key of visits by month (0157-visits-by-month.sql), made while they go on being written.
drop index concurrently if exists visits_order_key;
create unique index concurrently visits_order_key on visits (visited_at, id);
reset lock_timeout;
