/** The endpoints of LinkedIn that can fail. The texts are shown on the faults page. */
export const ENDPOINTS = {
  create: {
    title: 'LinkedIn: creating a post',
    call: 'Create post',
    done: 'The post goes live',
    undone: 'nothing is posted',
  },
  initialize: {
    title: 'LinkedIn: announcing a picture',
    call: 'Announcing a picture',
    done: 'The picture is announced',
    undone: 'nothing is announced',
  },
  upload: {
    title: 'LinkedIn: uploading a picture',
    call: 'The picture upload',
    done: 'The picture is taken',
    undone: 'the picture is not taken',
  },
  delete: {
    title: 'LinkedIn: deleting a post',
    call: 'Delete post',
    done: 'The post is deleted',
    undone: 'nothing is deleted',
  },
  edit: {
    title: 'LinkedIn: changing a post',
    call: 'Change post',
    done: 'The post is changed',
    undone: 'nothing is changed',
  },
  userinfo: {
    title: 'LinkedIn: the profile',
    call: 'The profile',
    done: 'The profile is read',
    undone: 'nothing is read',
  },
  token: {
    title: 'LinkedIn: the token endpoint',
    call: 'The token endpoint',
    done: 'The code or refresh token is traded',
    undone: 'nothing is traded',
  },
} as const;

export type Endpoint = keyof typeof ENDPOINTS;
export type EndpointTexts = { title: string; call: string; done: string; undone: string };

const answers = (response: string) => (endpoint: EndpointTexts) => `${endpoint.call} answers ${response}.`;
const before = (event: string) => (endpoint: EndpointTexts) => `${event}, and ${endpoint.undone}.`;
const after = (event: string) => (endpoint: EndpointTexts) => `${endpoint.done}, then ${event}.`;

/** With their texts for the faults page. */
const FAILURES = {
  200: after('the answer is 200 instead of 201'),
  302: answers('302 to an address on localhost; nothing is done'),
  400: answers('400'),
  '400-client-id': answers('400: the client id is not known'),
  '400-grant': answers('400: the code or refresh token is invalid, expired or revoked'),
  401: answers('401'),
  '401-client': answers('401: the client secret is wrong'),
  '401-invalid': answers('401: the token is not valid'),
  '401-revoked': answers('401: the member has revoked the token'),
  '401-expired': answers('401: the token has expired'),
  403: answers('403'),
  '403-empty': answers('403 with an empty message, as for a foreign author'),
  '403-scope': answers('403: the permission is missing'),
  404: answers('404: not found'),
  409: answers('409: a concurrent write; nothing is done'),
  413: answers('413: too large'),
  415: answers('415: unsupported media type'),
  422: answers('422 with a schema error'),
  '422-duplicate': answers('422: a duplicate of a post that is named'),
  426: answers('426: the API version is not active'),
  429: answers('429 for a short throttle; nothing is done'),
  '429-retry-1': answers('429 with Retry-After: 1; nothing is done'),
  '429-retry-60': answers('429 with Retry-After: 60; nothing is done'),
  '429-day': answers('429: the member’s DAY limit is reached'),
  '429-app-day': answers('429: the application’s DAY limit is reached, for everybody'),
  '500-before': before('The answer is 500'),
  '500-after': after('the answer is 500'),
  503: answers('503; nothing is done'),
  'html-502': answers('502 with an HTML page; nothing is done'),
  'drop-before': before('The connection is cut'),
  'drop-after': after('the connection is cut without an answer'),
  reset: before('The connection is reset after the body has arrived'),
  'reset-after': after('the connection is reset without an answer'),
  'hang-before': before('No answer ever comes'),
  'hang-after': after('no answer ever comes'),
  slow: answers('late (delay in milliseconds, 5,000 if not given)'),
  '201-no-id': after('the answer carries no id'),
  'broken-json': after('the answer has a body of broken JSON'),
  drip: after('the answer comes byte by byte (delay in milliseconds, 1,000 if not given)'),
  'drip-body': after('the status comes at once and a body byte by byte (delay as above)'),
  huge: after('the answer has a body of 10 MB'),
  'gzip-bomb': after('the answer has a small gzip body that unpacks to 1 GB'),
} as const;

export type Failure = `${keyof typeof FAILURES}`;

export function describeFailure(endpoint: EndpointTexts, failure: Failure): string {
  return FAILURES[failure as keyof typeof FAILURES](endpoint);
}

/** Failures of any server, not only of LinkedIn. */
export const COMMON_FAILURES: Failure[] = [
  '302',
  '500-before',
  '500-after',
  '503',
  'html-502',
  'drop-before',
  'drop-after',
  'reset',
  'reset-after',
  'hang-before',
  'hang-after',
  'slow',
  'broken-json',
  'drip',
  'drip-body',
  'huge',
  'gzip-bomb',
];
const LIMITS: Failure[] = ['429', '429-retry-1', '429-retry-60'];
const REST: Failure[] = [
  '401-invalid',
  '401-revoked',
  '401-expired',
  '403-empty',
  '403-scope',
  '404',
  '409',
  '426',
  ...LIMITS,
  '429-day',
  '429-app-day',
  ...COMMON_FAILURES,
];

export const FAILURES_AT: Record<Endpoint, Failure[]> = {
  create: ['200', '201-no-id', '422', '422-duplicate', ...REST],
  initialize: REST,
  upload: ['400', '401', '403', '404', '413', '415', ...LIMITS, ...COMMON_FAILURES],
  delete: REST,
  edit: REST,
  userinfo: ['401-invalid', '401-revoked', '401-expired', '403-scope', '404', ...LIMITS, ...COMMON_FAILURES],
  token: ['400-client-id', '400-grant', '401-client', '403', '404', ...LIMITS, ...COMMON_FAILURES],
};

const RESPONSE_FAILURES = new Set<Failure>([
  '200',
  '201-no-id',
  'broken-json',
  'drip',
  'drip-body',
  'huge',
  'gzip-bomb',
]);

/** Whether the call takes effect before it fails. */
export function isAfterWork(failure: Failure): boolean {
  return failure.endsWith('-after') || RESPONSE_FAILURES.has(failure);
}
