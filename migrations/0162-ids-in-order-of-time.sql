-- An id that begins with the milliseconds since 1970 in which it is made (RFC 9562, version 7): what is written at one time stands side
-- by side in every index over ids. From 18 on Postgres has uuidv7(), and older ones are supported.
create function id_of_now() returns uuid language sql volatile parallel safe
return encode(
  set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid()) placing
      substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1),
  'hex')::uuid;

alter table runs alter column id set default id_of_now();
alter table posts alter column id set default id_of_now();
alter table post_versions alter column id set default id_of_now();
alter table publications alter column id set default id_of_now();
alter table mails alter column id set default id_of_now();
alter table webhook_deliveries alter column id set default id_of_now();
