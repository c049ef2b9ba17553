export const PAUSE_REASON_MAX = 200;
/** Failed test posts within the minimum time between two test posts. */
export const FAILED_TESTS_MAX = 5;
/** Refusals of one post within 24 hours, after which it cannot be sent again until the first of them is older. */
export const REFUSALS_A_DAY_MAX = 10;

export const APPROVAL_LINK_DAYS = 7;
/** After this many unedited approvals in a row, the user is offered to publish posts about the topic without approval. */
export const APPROVED_IN_A_ROW = 10;
/** How long a user can choose, after LinkedIn was connected again, before missed posts take the next free slots. */
export const CHOOSE_WITHIN_DAYS = 3;
export const MOVE_WITHIN_DAYS = 92;
/** How long a deleted post can be restored; its content is stored until then. */
export const RESTORE_WITHIN_DAYS = 30;
