-- The days of the week on which posts go out, and single dates on which none do.
alter table automation_settings
  add column publish_days text[] not null default '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}',
  add column days_off date[] not null default '{}',
  add constraint automation_settings_publish_days_are_days check (
    publish_days <@ array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    and cardinality(publish_days) between 1 and 7
  ),
  add constraint automation_settings_days_off_count check (cardinality(days_off) <= 60);
