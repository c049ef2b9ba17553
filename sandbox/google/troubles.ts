import type { EndpointTexts, Failure } from '#sandbox/linkedin/troubles.ts';

/** The texts are shown on the faults page. */
export const GOOGLE_ENDPOINTS = {
  discovery: {
    title: 'Google: discovery',
    call: 'The discovery document',
    done: 'The document is read',
    undone: 'nothing is read',
  },
  certs: {
    title: 'Google: the keys',
    call: 'The list of keys',
    done: 'The keys are read',
    undone: 'nothing is read',
  },
  token: {
    title: 'Google: the token endpoint',
    call: 'The token endpoint',
    done: 'The code or refresh token is traded',
    undone: 'nothing is traded',
  },
  profile: {
    title: 'Google: the profile',
    call: 'The profile',
    done: 'The profile is read',
    undone: 'nothing is read',
  },
} as const satisfies Record<string, EndpointTexts>;

export type GoogleEndpoint = keyof typeof GOOGLE_ENDPOINTS;
export type GoogleKind = `google.${GoogleEndpoint}-${Failure}`;

export function googleFaultKind(endpoint: GoogleEndpoint, failure: Failure): GoogleKind {
  return `google.${endpoint}-${failure}`;
}
