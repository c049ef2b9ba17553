import { ID_TOKEN_FAULTS, type IdTokenKind, NONCE_FAULTS } from '#sandbox/google/id-token-faults.ts';
import {
  GOOGLE_ENDPOINTS,
  type GoogleEndpoint,
  type GoogleKind,
  googleFaultKind,
} from '#sandbox/google/troubles.ts';
import {
  COMMON_FAILURES,
  describeFailure,
  ENDPOINTS,
  type Endpoint,
  FAILURES_AT,
  type Failure,
} from '#sandbox/linkedin/troubles.ts';

/** Faults that are specific to one place. The texts are shown on the faults page. */
const SINGLE_FAULTS = {
  'linkedin.reset-before-body':
    'Creating a post is reset before its body is read. Nothing is posted, no attempt is seen.',
  'linkedin.media-waiting': 'Create post with a picture answers 400: the picture is still being processed.',
  'linkedin.media-failed': 'Create post with a picture answers 400: processing the picture has failed.',
  'linkedin.media-expired': 'Create post with a picture answers 400: its upload address has expired.',
  'linkedin.initialize-expired': 'The upload address that is given has already expired.',
  'linkedin.upload-expired': 'The upload address expires just before the picture arrives.',
  'linkedin.upload-processing-failed': 'The picture is taken, and its processing fails afterwards.',
  'linkedin.upload-needs-token': 'The picture upload answers 401 unless it carries the access token.',
  'linkedin.upload-refuses-token':
    'The picture upload answers 400 with HTML when it carries the access token.',
  'linkedin.userinfo-bare': 'The profile comes without picture and e-mail address.',
  'linkedin.userinfo-unverified': 'The profile says that the e-mail address is not verified.',
  'linkedin.token-expired': 'The token that is given has already expired, though it claims 60 days.',
  'linkedin.oauth-error': 'Connecting ends with a server error instead of a code.',
  'google.oauth-error': 'Signing in ends with a server error instead of a code.',
  'google.callback-other-issuer': 'The way back to the application names another issuer (iss).',
  'google.callback-other-state': 'The way back to the application carries another state.',
  'google.profile-other-subject': 'The profile is that of somebody else than the id token says.',
  'google.profile-unverified': 'The profile says that the e-mail address is not verified.',
  'writer.401': 'The writer answers 401: incorrect API key.',
  'writer.429': 'The writer answers 429 with Retry-After (delay in milliseconds, 1,000 if not given).',
  'writer.429-date': 'The writer answers 429 with Retry-After as an HTTP date (delay in milliseconds).',
  'writer.429-ms': 'The writer answers 429 with retry-after-ms alone (delay in milliseconds).',
  'writer.429-quota': 'The writer answers 429: no quota is left.',
  'writer.404-model': 'The writer answers 404: there is no such model.',
  'writer.500': 'The writer answers 500.',
  'writer.policy': 'The writer answers 400: its rules on content rule the subject out.',
  'writer.context': 'The writer answers 400: there is more to read than it can.',
  'writer.no-schema': 'The writer answers 400 to a JSON schema, and takes other forms.',
  'writer.html': 'The writer answers 200 with a page of a proxy.',
  'writer.error-200': 'The writer answers 200 with an error.',
  'writer.empty-body': 'The writer answers 200 with nothing at all.',
  'writer.no-message': 'The writer answers 200 with a choice that has no message.',
  'writer.hang': 'The writer takes the request and never answers.',
  'writer.slow': 'The writer answers late (delay in milliseconds, 10,000 if not given).',
  'writer.malformed': 'The writer answers with broken JSON.',
  'writer.refusal': 'The writer refuses to write.',
  'writer.content-filter': 'A filter of the writer stops the text in the middle.',
  'writer.empty': 'The writer answers with an empty text.',
  'writer.wrong-keys': 'The writer answers with JSON that has other names.',
  'writer.thinks-aloud': 'The writer thinks aloud (<think>…</think>) before its answer.',
  'writer.fenced': 'The writer answers with a sentence and its JSON in a code fence.',
  'writer.parts': 'The writer answers with the text in two parts.',
  'writer.truncated': 'The writer stops in the middle of its answer.',
  'writer.too-short': 'The writer answers with far too short a post.',
  'writer.markdown': 'The writer answers with Markdown in the post.',
  'writer.placeholder': 'The writer leaves a placeholder in the post.',
  'writer.blind': 'The writer answers 400 to a picture: it does not look at any.',
  'writer.bad-picture': 'The writer answers 400 to a picture: it cannot read this one.',
  'writer.sees-nothing': 'The writer takes a picture and says that it sees none.',
  'writer.obeys': 'The writer says of a picture what the picture wants said: an advertisement, in HTML.',
  'writer.image-of': 'The writer begins the description of a picture with “Image of”.',
  'mail.down': 'The mail server closes every connection.',
  'mail.tls-broken': 'The mail server offers STARTTLS and breaks off when it is begun.',
  'mail.535': 'The mail server refuses every sign-in (535).',
  'mail.from-451': 'The mail server refuses the sender for now (451).',
  'mail.from-550': 'The mail server refuses the sender for good (550).',
  'mail.451': 'The mail server refuses the recipient for now (451).',
  'mail.550': 'The mail server refuses the recipient for good (550).',
  'mail.data-451': 'The mail server refuses the text for now, after it was sent (451).',
  'mail.data-554': 'The mail server refuses the text for good, after it was sent (554).',
  'mail.data-hang-before': 'The mail is sent whole and lost, and no answer ever comes.',
  'mail.data-hang-after': 'The mail arrives, and no answer ever comes.',
} as const;

type SingleFault = keyof typeof SINGLE_FAULTS;
export type FaultKind =
  | SingleFault
  | `linkedin.${Failure}`
  | `linkedin.${Exclude<Endpoint, 'create'>}-${Failure}`
  | GoogleKind
  | IdTokenKind;

/** The kinds of the endpoint `create` do not contain its name. */
export function faultKindAt(endpoint: Endpoint, failure: Failure): FaultKind {
  return endpoint === 'create' ? `linkedin.${failure}` : `linkedin.${endpoint}-${failure}`;
}

const endpoints = Object.keys(ENDPOINTS) as Endpoint[];
const LINKEDIN_FAILURES = new Map(
  endpoints.flatMap((endpoint) =>
    FAILURES_AT[endpoint].map((failure) => [faultKindAt(endpoint, failure), { endpoint, failure }] as const),
  ),
);

const googleEndpoints = Object.keys(GOOGLE_ENDPOINTS) as GoogleEndpoint[];
const GOOGLE_FAILURES = googleEndpoints.flatMap((endpoint) =>
  COMMON_FAILURES.map(
    (failure) =>
      [googleFaultKind(endpoint, failure), describeFailure(GOOGLE_ENDPOINTS[endpoint], failure)] as const,
  ),
);
const ID_TOKEN_KINDS = Object.entries(ID_TOKEN_FAULTS).flatMap(([name, text]) =>
  (['google', 'linkedin'] as const).map((provider) => [`${provider}.id-token-${name}`, text] as const),
);
const NONCE_KINDS = Object.entries(NONCE_FAULTS).map(
  ([name, text]) => [`google.id-token-${name}`, text] as const,
);

/** The texts of all faults that are not in LINKEDIN_FAILURES. */
const DESCRIPTIONS = new Map<string, string>([
  ...Object.entries(SINGLE_FAULTS),
  ...GOOGLE_FAILURES,
  ...ID_TOKEN_KINDS,
  ...NONCE_KINDS,
]);

export function failureAt(endpoint: Endpoint, kind: FaultKind): Failure | undefined {
  const entry = LINKEDIN_FAILURES.get(kind);
  return entry?.endpoint === endpoint ? entry.failure : undefined;
}

export function isFaultKind(value: unknown): value is FaultKind {
  return typeof value === 'string' && (LINKEDIN_FAILURES.has(value as FaultKind) || DESCRIPTIONS.has(value));
}

export function describeFault(kind: FaultKind): string {
  const entry = LINKEDIN_FAILURES.get(kind);
  return entry ? describeFailure(ENDPOINTS[entry.endpoint], entry.failure) : (DESCRIPTIONS.get(kind) ?? '');
}

const GROUPS: [title: string, pattern: RegExp][] = [
  [ENDPOINTS.create.title, /^linkedin\.(reset|media)/],
  ...endpoints
    .slice(1)
    .map((endpoint): [string, RegExp] => [ENDPOINTS[endpoint].title, RegExp(`^linkedin\\.${endpoint}-`)]),
  ['LinkedIn: consent', /^linkedin\.oauth/],
  ['LinkedIn: the id token', /^linkedin\.id-token-/],
  ['Google: consent', /^google\.(oauth|callback)/],
  ['Google: the id token', /^google\.id-token-/],
  ...googleEndpoints.map((endpoint): [string, RegExp] => [
    GOOGLE_ENDPOINTS[endpoint].title,
    RegExp(`^google\\.${endpoint}-`),
  ]),
  ['The writer', /^writer\./],
  ['Mail', /^mail\./],
];

export const FAULT_KINDS = [...LINKEDIN_FAILURES.keys(), ...DESCRIPTIONS.keys()] as FaultKind[];

const OTHER = 'Other';

/** The group of the faults page that lists the kind. */
export function groupTitle(kind: FaultKind): string {
  const entry = LINKEDIN_FAILURES.get(kind);
  if (entry) return ENDPOINTS[entry.endpoint].title;
  return GROUPS.find(([, pattern]) => pattern.test(kind))?.[0] ?? OTHER;
}

export const FAULT_GROUPS: { title: string; kinds: FaultKind[] }[] = [
  ...GROUPS.map(([title]) => title),
  OTHER,
]
  .map((title) => ({ title, kinds: FAULT_KINDS.filter((kind) => groupTitle(kind) === title) }))
  .filter(({ kinds }) => kinds.length > 0);
