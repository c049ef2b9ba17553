/** Who asks. Every command and read of the domain takes one and looks at nothing else for permission. */
export type Actor = {
  userId: string;
  name: string;
  email: string;
  isAdmin: boolean;
  timeZone: string;
};
