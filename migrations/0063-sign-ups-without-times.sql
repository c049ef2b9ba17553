-- When codes were sent is kept in code_requests.
alter table sign_ups drop column code_sent_at, drop column resent_at;
