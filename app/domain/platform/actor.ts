/** The user on whose behalf a command or a read runs. Permissions depend on nothing else. */
export type Actor = {
  userId: string;
  name: string;
  email: string;
  isAdmin: boolean;
  timeZone: string;
};
