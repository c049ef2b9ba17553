/** The calls to LinkedIn at which something can go wrong: what the page calls them, and what they do. */
export const DOORS = {
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

export type Door = keyof typeof DOORS;
/** How the sentences of a door speak of it. */
export type DoorWords = { title: string; call: string; done: string; undone: string };

const says = (words: string) => (door: DoorWords) => `${door.call} answers ${words}.`;
const before = (words: string) => (door: DoorWords) => `${words}, and ${door.undone}.`;
const after = (words: string) => (door: DoorWords) => `${door.done}, then ${words}.`;

/** What can go wrong, with its sentence for a door. */
const TROUBLES = {
  200: after('the answer is 200 instead of 201'),
  302: says('302 to an address on localhost; nothing is done'),
  400: says('400'),
  '400-client-id': says('400: the client id is not known'),
  '400-grant': says('400: the code or refresh token is invalid, expired or revoked'),
  401: says('401'),
  '401-client': says('401: the client secret is wrong'),
  '401-invalid': says('401: the token is not valid'),
  '401-revoked': says('401: the member has revoked the token'),
  '401-expired': says('401: the token has expired'),
  403: says('403'),
  '403-empty': says('403 with an empty message, as for a foreign author'),
  '403-scope': says('403: the permission is missing'),
  404: says('404: not found'),
  409: says('409: a concurrent write; nothing is done'),
  413: says('413: too large'),
  415: says('415: unsupported media type'),
  422: says('422 with a schema error'),
  '422-duplicate': says('422: a duplicate of a post that is named'),
  426: says('426: the API version is not active'),
  429: says('429 for a short throttle; nothing is done'),
  '429-retry-1': says('429 with Retry-After: 1; nothing is done'),
  '429-retry-60': says('429 with Retry-After: 60; nothing is done'),
  '429-day': says('429: the member’s DAY limit is reached'),
  '429-app-day': says('429: the application’s DAY limit is reached, for everybody'),
  '500-before': before('The answer is 500'),
  '500-after': after('the answer is 500'),
  503: says('503; nothing is done'),
  'html-502': says('502 with an HTML page; nothing is done'),
  'drop-before': before('The connection is cut'),
  'drop-after': after('the connection is cut without an answer'),
  reset: before('The connection is reset after the body has arrived'),
  'reset-after': after('the connection is reset without an answer'),
  'hang-before': before('No answer ever comes'),
  'hang-after': after('no answer ever comes'),
  slow: says('late (delay in milliseconds, 5,000 if not given)'),
  '201-no-id': after('the answer carries no id'),
  'broken-json': after('the answer has a body of broken JSON'),
  drip: after('the answer comes byte by byte (delay in milliseconds, 1,000 if not given)'),
  'drip-body': after('the status comes at once and a body byte by byte (delay as above)'),
  huge: after('the answer has a body of 10 MB'),
  'gzip-bomb': after('the answer has a small gzip body that unpacks to 1 GB'),
} as const;

export type Trouble = `${keyof typeof TROUBLES}`;

export function troubleWords(door: DoorWords, trouble: Trouble): string {
  return TROUBLES[trouble as keyof typeof TROUBLES](door);
}

/** What can go wrong with any server: nothing of it is peculiar to LinkedIn. */
export const WIRE: Trouble[] = [
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
const LIMITS: Trouble[] = ['429', '429-retry-1', '429-retry-60'];
const REST: Trouble[] = [
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
  ...WIRE,
];

export const TROUBLES_AT: Record<Door, Trouble[]> = {
  create: ['200', '201-no-id', '422', '422-duplicate', ...REST],
  initialize: REST,
  upload: ['400', '401', '403', '404', '413', '415', ...LIMITS, ...WIRE],
  delete: REST,
  edit: REST,
  userinfo: ['401-invalid', '401-revoked', '401-expired', '403-scope', '404', ...LIMITS, ...WIRE],
  token: ['400-client-id', '400-grant', '401-client', '403', '404', ...LIMITS, ...WIRE],
};

const LATE = new Set<Trouble>(['200', '201-no-id', 'broken-json', 'drip', 'drip-body', 'huge', 'gzip-bomb']);

/** Whether the work is done before the trouble begins. */
export function isAfter(trouble: Trouble): boolean {
  return trouble.endsWith('-after') || LATE.has(trouble);
}
