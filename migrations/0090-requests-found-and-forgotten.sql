-- What admins search for stands in one expression, which an index of its trigrams answers.
create index support_tickets_words_idx on support_tickets
  using gin ((subject || ' ' || message || ' ' || name || ' ' || email) gin_trgm_ops);

-- The same sent twice is looked for among the latest of an address.
drop index support_tickets_email_idx;
create index support_tickets_email_idx on support_tickets (email, created_at) where user_id is null;

-- Those that belong to no account are forgotten so long after the last word in them.
create index support_tickets_last_word_idx on support_tickets (greatest(asked_at, answered_at)) where user_id is null;
