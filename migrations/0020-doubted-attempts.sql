-- Attempts begun until then are older than the clock says: it was set back after them.
alter table publishing_epoch add column doubted_until timestamptz;
