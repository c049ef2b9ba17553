import { createContext, useContext } from 'react';

/** The text of the script that reports a visit, empty in the browser: see app/http/telemetry/visit-beacon.ts. */
export const BeaconScript = createContext('');

/** Renders that script. The browser runs the one in the page and has no copy of its text to hydrate with. */
export const Beacon = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: constant text; the content security policy has its hash.
  <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: useContext(BeaconScript) }} />
);
