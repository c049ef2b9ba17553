/** What must notice: points of the fault suite by name, or a test file with the words of a test's name. */
export type NoticedBy = { points: string[] } | { test: string; named?: string };

/** A text that stands once in a file, and what takes its place. */
export type Edit = { file: string; from: string; to: string };

export type Control = Edit & {
  /** What is so once the control is gone. */
  what: string;
  /** Taken away with it, where a second one would hold what the first has let go. */
  and?: Edit[];
  noticedBy: NoticedBy;
};
