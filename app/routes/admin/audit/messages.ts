/** What an entry of the log says of itself, and values of it as the reader's clock and language show them. */
export type AuditMessage = {
  action: string;
  detail: Record<string, unknown>;
  say: (value: unknown) => string;
};

type AuditChange = AuditMessage & { before: Record<string, unknown> };
type Sentence = { text: (told: AuditChange) => string; uses: string[] };

const posts = (n: unknown) => (n === 1 ? '1 post a day' : `${n} posts a day`);
/** The sentence goes on behind it, and ends there. */
const quoted = (reason: unknown) => `“${String(reason).replace(/\.$/, '')}”`;
const because = ({ detail: { reason } }: AuditMessage) => (reason ? `: ${quoted(reason)}` : '');
const request = ({ detail: { number } }: AuditMessage) =>
  number === undefined ? 'a request' : `request ${number}`;

/** "$6.00 for 1 post a day, transaction 123, reference TP-1". */
const payment = ({ detail: { amount, postsPerDay, transactionId, reference } }: AuditMessage) =>
  `${amount ?? 'a payment'} for ${posts(postsPerDay)}, transaction ${transactionId}, reference ${reference}`;
const PAYMENT = ['amount', 'postsPerDay', 'transactionId', 'reference'];

/** How each action is told. What a sentence has used is not listed a second time. */
const SENTENCES: Record<string, Sentence> = {
  'payment.verified': {
    text: (said) =>
      `${payment(said)}. The plan runs from ${said.say(said.detail.startsAt)} to ${said.say(said.detail.endsAt)}.`,
    uses: [...PAYMENT, 'startsAt', 'endsAt'],
  },
  'payment.verified_first': {
    text: (said) => `${payment(said)}. Another admin has to verify it, too.`,
    uses: PAYMENT,
  },
  'payment.taken_in': { text: (said) => `${payment(said)}. It waits with the others.`, uses: PAYMENT },
  'payment.rejected': {
    text: (said) => `${payment(said)}${because(said)}.`,
    uses: [...PAYMENT, 'reason'],
  },
  'account.disabled': {
    text: (said) => `It can do nothing until it is enabled again${because(said)}.`,
    uses: ['reason'],
  },
  'account.enabled': {
    text: ({ before, say }) => `It was disabled on ${say(before.disabledAt)}: ${quoted(before.reason)}.`,
    uses: ['disabledAt', 'reason'],
  },
  'plan.extended': {
    text: (said) =>
      `By ${said.detail.days} days, from ${said.say(said.before.endsAt)} to ${said.say(said.detail.endsAt)}${because(said)}.`,
    uses: ['days', 'endsAt', 'reason'],
  },
  'publishing.paused': {
    text: (said) => {
      const { until } = said.detail;
      return `For everybody, ${until ? `until ${said.say(until)}` : 'until it is resumed'}${because(said)}.`;
    },
    uses: ['reason', 'until'],
  },
  'publishing.resumed': { text: () => 'For everybody.', uses: [] },
  'job.retried': {
    text: ({ detail: { job, jobId, tries } }) => `${job} (${jobId}), after ${tries} failed tries.`,
    uses: ['job', 'jobId', 'tries'],
  },
  'job.discarded': {
    text: ({ detail: { job, jobId, tries } }) => `${job} (${jobId}), after ${tries} failed tries.`,
    uses: ['job', 'jobId', 'tries'],
  },
  'support.answered': { text: (said) => `Answered ${request(said)}.`, uses: ['number'] },
  'support.noted': { text: (said) => `Left a note on ${request(said)}.`, uses: ['number'] },
  'support.made_of_feedback': { text: (said) => `Made ${request(said)}.`, uses: ['number'] },
  'support.status': { text: (said) => `Changed the status of ${request(said)}.`, uses: ['number'] },
};

/** "transactionId" as people write it. */
function inWords(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bid$/, 'ID');
  return words[0]!.toUpperCase() + words.slice(1);
}

/** The sentences that tell what was done: how, what was otherwise before, and whatever else was written down. */
export function messagesOf(said: AuditMessage): string[] {
  const { before, ...now } = said.detail;
  const was = (before !== null && typeof before === 'object' ? before : {}) as Record<string, unknown>;
  const sentence = Object.hasOwn(SENTENCES, said.action) ? SENTENCES[said.action] : undefined;
  const isUsed = (key: string) => Boolean(sentence?.uses.includes(key));
  // "in_progress" is a word of the program, and a title with such signs is somebody's.
  const say = (key: string, value: unknown) =>
    said.say(key === 'status' ? String(value).replaceAll('_', ' ') : value);
  const changes = Object.entries(was)
    .filter(([key]) => !isUsed(key))
    .map(([key, value]) => {
      const to = now[key] === undefined ? 'none' : say(key, now[key]);
      return `${inWords(key)} changed from ${say(key, value)} to ${to}.`;
    });
  const rest = Object.entries(now)
    .filter(([key]) => !(key in was) && !isUsed(key))
    .map(([key, value]) => (key === 'also' ? said.say(value) : `${inWords(key)}: ${say(key, value)}.`));
  return [...(sentence ? [sentence.text({ ...said, detail: now, before: was })] : []), ...changes, ...rest];
}
