/**
 * Names, on a request of the API whose method React Router would not hand to a route, the method it was
 * made with. The door removes whatever a client sent under this name.
 */
export const ASKED_METHOD = 'x-tidepost-method';
