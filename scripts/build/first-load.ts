/** Goal G4 (bench/RESULTS.md): `scripts` and `styles` in kilobytes (1000 bytes) of gzip, `files` is the number of scripts. */
export const FIRST_LOAD_MOST = { scripts: 155, files: 16, styles: 14 };
