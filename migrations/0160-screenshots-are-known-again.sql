-- Hashes of a screenshot, as its file came and as it was drawn anew. They stay with a payment when the picture goes with its
-- payer, as the transaction ID does. Null without a screenshot, and of one that came before.
alter table payments add column screenshot_hashes text[];
create index payments_screenshot_hashes_idx on payments using gin (screenshot_hashes);
