import { createContext, useContext } from 'react';

/** The script that tells of a visit, as the server knows it: see app/http/visit-beacon.ts. */
export const BeaconScript = createContext('');

/** The browser runs the script that the server sent, and has no copy of its text. */
export const Beacon = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a text of our own, which the policy of pages names by its hash.
  <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: useContext(BeaconScript) }} />
);
