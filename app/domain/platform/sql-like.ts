/** A pattern of LIKE for what has a text in it as it stands. */
export const has = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
