/** The address of the shorter list of routes that pages of users load: it leaves out routes to which none of them has a link, as it is part of every first load. */
export const usersListOf = (url: string): string => url.replace('/manifest-', '/users-manifest-');
