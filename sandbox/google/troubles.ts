import type { DoorWords, Trouble } from '#sandbox/linkedin/troubles.ts';

/** The calls to Google at which the wire can fail: what the page calls them, and what they do. */
export const GOOGLE_DOORS = {
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
} as const satisfies Record<string, DoorWords>;

export type GoogleDoor = keyof typeof GOOGLE_DOORS;
export type GoogleKind = `google.${GoogleDoor}-${Trouble}`;

export function googleKindAt(door: GoogleDoor, trouble: Trouble): GoogleKind {
  return `google.${door}-${trouble}`;
}
