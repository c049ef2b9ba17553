-- The network from which an admin acted, as sessions keep it; null of what no request asked for.
alter table audit_log add column came_from text;

-- What is looked for in the log: what an entry is about, and its words.
create index audit_log_subject_id_idx on audit_log (subject_id, id desc) where subject_id is not null;
create index audit_log_words_idx on audit_log using gin ((action || ' ' || detail::text) gin_trgm_ops);
