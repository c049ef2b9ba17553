/** An application that is registered with LinkedIn and Google. */
export type LinkedInApp = {
  clientId: string;
  secret: string;
  redirectUris: string[];
  /** LinkedIn issues refresh tokens only to approved applications. */
  hasRefreshTokens: boolean;
};

const CALLBACKS = ['/auth/linkedin/callback', '/auth/google/callback'];

/** The product's application, once without and once with refresh tokens. */
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

/** Registers an application, or adds redirect URIs to an existing one. */
export function registerApp(
  apps: Map<string, LinkedInApp>,
  app: Partial<LinkedInApp> & { clientId: string },
): LinkedInApp {
  const existing = apps.get(app.clientId);
  const registered = {
    clientId: app.clientId,
    secret: app.secret ?? existing?.secret ?? `${app.clientId}-secret`,
    redirectUris: [...(existing?.redirectUris ?? []), ...(app.redirectUris ?? [])],
    hasRefreshTokens: app.hasRefreshTokens ?? existing?.hasRefreshTokens ?? false,
  };
  apps.set(app.clientId, registered);
  return registered;
}

/** LinkedIn compares redirect URIs exactly, except for the query, which a registration does not include. */
export function isRegistered({ redirectUris }: LinkedInApp, redirectUri: string): boolean {
  return redirectUris.includes(redirectUri.split('?')[0] ?? '');
}
