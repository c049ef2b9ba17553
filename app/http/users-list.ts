/** The address of the list of routes for the pages of users, which leaves out where none of them leads: it is part of every first load. */
export const usersListOf = (url: string): string => url.replace('/manifest-', '/users-manifest-');
