-- The end of a plan is announced once for each day on which it ends: a plan may be extended after its mail.
update mails set dedupe_key = dedupe_key || ':' || to_char(ends_at at time zone 'utc', 'YYYY-MM-DD')
from payments
where payments.status = 'active' and dedupe_key = 'plan-ending:' || payments.id;
