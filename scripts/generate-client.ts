import { createClient } from '@hey-api/openapi-ts';

// Only the address would be asked for, and the client has none of its own.
process.env.DATABASE_URL ||= 'postgres://localhost/none';
process.env.APP_URL ||= 'http://localhost';
process.env.SANDBOX ||= '1';
const { apiDocument } = await import('#app/routes/api/v1/document.ts');

const CLIENT = 'clients/typescript/src';

/**
 * `generate-client.ts [FOLDER]` writes the client for TypeScript from the document of the API: its types, a function for each
 * call, and what they call `fetch` with.
 */
await createClient({
  input: { ...apiDocument(), servers: [] } as never,
  output: { path: process.argv[2] ?? CLIENT, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
