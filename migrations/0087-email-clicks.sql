-- Which links of our mails were opened. One counts once an hour, so whoever knows an address fills nothing.
create table email_clicks (
  id bigint generated always as identity primary key,
  address text not null,
  user_id uuid references users on delete cascade,
  campaign text not null,
  page text not null,
  device text not null,
  browser text not null,
  system text not null,
  clicked_at timestamptz(3) not null,
  hour timestamptz(0) not null,
  constraint email_clicks_once_key unique (address, campaign, page, hour)
);
create index email_clicks_clicked_at_idx on email_clicks (clicked_at);
create index email_clicks_user_id_idx on email_clicks (user_id) where user_id is not null;
