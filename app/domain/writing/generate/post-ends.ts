/** What stands before the first line break. */
export const openingOf = (content: string): string => content.split('\n', 1)[0]!.trim();

/** The last paragraph. */
export const closingOf = (content: string): string => content.trim().split(/\n+/).at(-1)!.trim();
