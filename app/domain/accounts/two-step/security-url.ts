import { env } from '#app/env.ts';

/** Where a user looks after how they sign in. */
export const securityUrl = () => new URL('/app/account/security', env().APP_URL).href;
