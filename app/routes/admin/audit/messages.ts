import { capitalised } from '#app/ui/text.ts';

export type AuditMessage = {
  action: string;
  detail: Record<string, unknown>;
  /** Shows a value in the time zone of the reader. */
  format: (value: unknown) => string;
};

type AuditChange = AuditMessage & { before: Record<string, unknown> };
/** `uses`: the fields of the detail that the text names, which are not listed a second time. */
type Sentence = { text: (entry: AuditChange) => string; uses: string[] };

const posts = (n: unknown) => (n === 1 ? '1 post a day' : `${n} posts a day`);
/** Without the final full stop, because the sentence goes on. */
const quoted = (reason: unknown) => `“${String(reason).replace(/\.$/, '')}”`;
const because = ({ detail: { reason } }: AuditMessage) => (reason ? `: ${quoted(reason)}` : '');
const request = ({ detail: { number } }: AuditMessage) =>
  number === undefined ? 'a request' : `request ${number}`;

/** "$6.00 for 1 post a day, transaction 123, reference TP-1". */
const payment = ({ detail: { amount, postsPerDay, transactionId, reference } }: AuditMessage) =>
  `${amount ?? 'a payment'} for ${posts(postsPerDay)}, transaction ${transactionId}, reference ${reference}`;
const PAYMENT = ['amount', 'postsPerDay', 'transactionId', 'reference'];

const FAILED_JOB: Sentence = {
  text: ({ detail: { job, jobId, tries } }) => `${job} (${jobId}), after ${tries} failed tries.`,
  uses: ['job', 'jobId', 'tries'],
};

const SENTENCES: Record<string, Sentence> = {
  'payment.verified': {
    text: (entry) =>
      `${payment(entry)}. The plan runs from ${entry.format(entry.detail.startsAt)} to ${entry.format(entry.detail.endsAt)}.`,
    uses: [...PAYMENT, 'startsAt', 'endsAt'],
  },
  'payment.verified_first': {
    text: (entry) => `${payment(entry)}. Another admin has to verify it, too.`,
    uses: PAYMENT,
  },
  'payment.taken_in': { text: (entry) => `${payment(entry)}. It waits with the others.`, uses: PAYMENT },
  'payment.rejected': {
    text: (entry) => `${payment(entry)}${because(entry)}.`,
    uses: [...PAYMENT, 'reason'],
  },
  'account.disabled': {
    text: (entry) => `It can do nothing until it is enabled again${because(entry)}.`,
    uses: ['reason'],
  },
  'account.enabled': {
    text: ({ before, format }) =>
      `It was disabled on ${format(before.disabledAt)}: ${quoted(before.reason)}.`,
    uses: ['disabledAt', 'reason'],
  },
  'plan.extended': {
    text: (entry) =>
      `By ${entry.detail.days} days, from ${entry.format(entry.before.endsAt)} to ${entry.format(entry.detail.endsAt)}${because(entry)}.`,
    uses: ['days', 'endsAt', 'reason'],
  },
  'publishing.paused': {
    text: (entry) => {
      const { until } = entry.detail;
      return `For everybody, ${until ? `until ${entry.format(until)}` : 'until it is resumed'}${because(entry)}.`;
    },
    uses: ['reason', 'until'],
  },
  'publishing.resumed': { text: () => 'For everybody.', uses: [] },
  'job.retried': FAILED_JOB,
  'job.discarded': FAILED_JOB,
  'support.answered': { text: (entry) => `Answered ${request(entry)}.`, uses: ['number'] },
  'support.noted': { text: (entry) => `Left a note on ${request(entry)}.`, uses: ['number'] },
  'support.made_of_feedback': { text: (entry) => `Made ${request(entry)}.`, uses: ['number'] },
  'support.status': { text: (entry) => `Changed the status of ${request(entry)}.`, uses: ['number'] },
};

/** "transactionId" becomes "Transaction ID". */
function fieldLabel(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bid$/, 'ID');
  return capitalised(words);
}

/** Returns what was done, then the fields that changed, then the other fields of the detail. */
export function messagesOf(entry: AuditMessage): string[] {
  const { before, ...after } = entry.detail;
  const previous = (before !== null && typeof before === 'object' ? before : {}) as Record<string, unknown>;
  const sentence = Object.hasOwn(SENTENCES, entry.action) ? SENTENCES[entry.action] : undefined;
  const isUsed = (key: string) => Boolean(sentence?.uses.includes(key));
  // Only a status such as "in_progress" is spelled by us: an underscore in other values belongs to the user.
  const format = (key: string, value: unknown) =>
    entry.format(key === 'status' ? String(value).replaceAll('_', ' ') : value);
  const changes = Object.entries(previous)
    .filter(([key]) => !isUsed(key))
    .map(([key, value]) => {
      const to = after[key] === undefined ? 'none' : format(key, after[key]);
      return `${fieldLabel(key)} changed from ${format(key, value)} to ${to}.`;
    });
  const rest = Object.entries(after)
    .filter(([key]) => !(key in previous) && !isUsed(key))
    .map(([key, value]) =>
      key === 'also' ? entry.format(value) : `${fieldLabel(key)}: ${format(key, value)}.`,
    );
  const text = sentence?.text({ ...entry, detail: after, before: previous });
  return [...(text ? [text] : []), ...changes, ...rest];
}
