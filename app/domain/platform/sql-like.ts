/** A LIKE pattern that matches texts with this text in them. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
