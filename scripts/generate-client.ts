import { createClient } from '@hey-api/openapi-ts';

// The environment is validated on import; the client contains none of these values.
process.env.DATABASE_URL ||= 'postgres://localhost/none';
process.env.APP_URL ||= 'http://localhost';
process.env.SANDBOX ||= '1';
const { apiDocument } = await import('#app/routes/api/v1/document.ts');

const CLIENT = 'clients/typescript/src';

/** `generate-client.ts [FOLDER]` generates the TypeScript client from the OpenAPI document. */
await createClient({
  input: { ...apiDocument(), servers: [] } as never,
  output: { path: process.argv[2] ?? CLIENT, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
