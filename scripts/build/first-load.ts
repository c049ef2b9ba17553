/** Goal G4 (bench/RESULTS.md) for the first load of a page: kilobytes (1000 bytes) of gzip of its scripts and styles, and the number of scripts. */
export const FIRST_LOAD_MOST = { scripts: 155, files: 16, styles: 14 };
