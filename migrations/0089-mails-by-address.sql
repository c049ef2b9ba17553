-- outside a transaction
-- Whether we mailed an address at all is asked before a click counts. Mails are written all the time, so the index is built
-- beside that; one that was left half built is built anew.
set lock_timeout = '15min';
drop index concurrently if exists mails_to_address_idx;
create index concurrently mails_to_address_idx on mails (to_address);
drop index concurrently if exists mails_to_nobody_idx;
reset lock_timeout;
