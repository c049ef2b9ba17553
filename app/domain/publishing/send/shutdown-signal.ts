const controller = new AbortController();

/** Aborted when this process is to end: nothing more is begun, and nothing waits for better times. */
export const stopping = controller.signal;

/** The process is to end. What is under way is ended; answers that wait for the database are left to their files. */
export const endSending = () => controller.abort();
