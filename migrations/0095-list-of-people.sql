-- What admins look everybody up by: the newest first, a role, and words of names and addresses.
create index users_created_at_idx on users (created_at desc, id desc);
create index users_admins_idx on users (created_at desc, id desc) where role = 'admin';
create index users_words_idx on users using gin ((' ' || name || ' ' || email) gin_trgm_ops);
