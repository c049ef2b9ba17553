const controller = new AbortController();

/** Aborted when this process shuts down: no new call is started, and no retry is waited for. */
export const stopping = controller.signal;

/** Lets calls in progress end. Responses that cannot be written to the database stay in the spool. */
export const stopSending = () => controller.abort();
