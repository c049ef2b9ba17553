-- Whether the provider has verified the address of an identity. Of those that are linked already nobody knows.
alter table identities add column is_email_verified boolean not null default false;
