-- Both are trusted extensions: the owner of the database creates them without being a superuser.
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- A UUID of version 7 (RFC 9562), which begins with the milliseconds since 1970: rows written at one time stand side by side
-- in every index over ids. Postgres has uuidv7() from 18 on, and older versions are supported.
create function id_of_now() returns uuid language sql volatile parallel safe
return encode(
  set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid()) placing
      substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1),
  'hex')::uuid;
