export const PAUSE_REASON_MAX = 200;
