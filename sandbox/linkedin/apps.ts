/** An application as its owner has registered it in the portals of LinkedIn and of Google. */
export type LinkedInApp = {
  clientId: string;
  secret: string;
  redirectUris: string[];
  /** LinkedIn gives refresh tokens to approved applications only. */
  hasRefreshTokens: boolean;
};

const CALLBACKS = ['/auth/linkedin/callback', '/auth/google/callback'];

/** The product's application, with its callbacks below its address, and its twin with refresh tokens. */
export function registeredApps(appUrl = process.env.APP_URL || 'http://127.0.0.1:3000') {
  const redirectUris = CALLBACKS.map((path) => `${appUrl.replace(/\/$/, '')}${path}`);
  const apps = [
    { clientId: 'tidepost-local', hasRefreshTokens: false },
    { clientId: 'tidepost-refresh', hasRefreshTokens: true },
  ];
  return new Map<string, LinkedInApp>(
    apps.map((app) => [app.clientId, { ...app, secret: `${app.clientId}-secret`, redirectUris }]),
  );
}

/** Registers an application, or adds redirect addresses to one that is known. */
export function registerApp(
  apps: Map<string, LinkedInApp>,
  app: Partial<LinkedInApp> & { clientId: string },
): LinkedInApp {
  const known = apps.get(app.clientId);
  const registered = {
    clientId: app.clientId,
    secret: app.secret ?? known?.secret ?? `${app.clientId}-secret`,
    redirectUris: [...(known?.redirectUris ?? []), ...(app.redirectUris ?? [])],
    hasRefreshTokens: app.hasRefreshTokens ?? known?.hasRefreshTokens ?? false,
  };
  apps.set(app.clientId, registered);
  return registered;
}

/** LinkedIn compares an address to the last letter, but for its query, which registration leaves out. */
export function isRegistered({ redirectUris }: LinkedInApp, address: string): boolean {
  return redirectUris.includes(address.split('?')[0] ?? '');
}
