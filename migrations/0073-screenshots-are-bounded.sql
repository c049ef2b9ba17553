alter table payment_screenshots
  add constraint payment_screenshots_bytes_range check (octet_length(bytes) between 1 and 4194304);
