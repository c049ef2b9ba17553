import { env } from '#app/env.ts';

export const securityUrl = () => new URL('/app/account/security', env().APP_URL).href;
