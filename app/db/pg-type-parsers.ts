import pg from 'pg';

/** date and date[], and as what they are read: text and text[]. */
const READ_AS = new Map([
  [1082, 25],
  [1182, 1009],
]);

/** How values are read. A calendar day stays the text YYYY-MM-DD: as a Date it would move with the zone of the process. */
export const values: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    pg.types.getTypeParser(READ_AS.get(oid) ?? oid, format as 'text'),
};
