-- Both are trusted: the owner of the database can create them without being a superuser.
create extension if not exists btree_gist;
create extension if not exists pg_trgm;
