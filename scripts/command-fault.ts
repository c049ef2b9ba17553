/** What Postgres says to a role that may not, and of a table that is not there. */
const WHO_AND_WHAT = ['42501', '42P01'];

/** Says why a command did not do its work. `beside`: the process in whose environment it is to run. */
export function tellFault(error: unknown, beside: 'web' | 'worker'): void {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const cure = WHO_AND_WHAT.includes(code)
    ? `. Run this in the environment of a ${beside}, when \`npm run migrate\` has been run.`
    : '';
  console.error(message ? `${message}${cure}` : `The database cannot be reached (${code}).`);
  process.exitCode = 1;
}
