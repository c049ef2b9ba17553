/**
 * The whole timetable, in UTC. Users' time zones are resolved before: what is due stands in our tables as
 * instants. No backfill: each tick finds everything that is due.
 */
export const CRONTAB = `
* * * * * tick-publishing ?id=tick-publishing&max=3
* * * * * tick-generation ?id=tick-generation&max=3
* * * * * sweep-publications ?id=sweep-publications&max=3
* * * * * set-aside-unapproved ?id=set-aside-unapproved&max=3
* * * * * sweep-jobs ?id=sweep-jobs&max=3
* * * * * end-plans ?id=end-plans&max=3
23 * * * * warn-ending-plans ?id=warn-ending-plans&max=3
17 3 * * * clean-up ?id=clean-up&max=3
`;
