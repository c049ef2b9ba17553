/** Postgres: insufficient_privilege and undefined_table. */
const WRONG_ROLE_OR_SCHEMA = ['42501', '42P01'];

/** Prints the error of a command and fails the process. `environment`: the process whose environment the command needs. */
export function reportCommandError(error: unknown, environment: 'web' | 'worker'): void {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const fix = WRONG_ROLE_OR_SCHEMA.includes(code)
    ? `. Run this in the environment of a ${environment}, when \`npm run migrate\` has been run.`
    : '';
  console.error(message ? `${message}${fix}` : `The database cannot be reached (${code}).`);
  process.exitCode = 1;
}
