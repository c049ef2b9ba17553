// The route module of every path below /api/v1. The files with the calls are not route modules: they import schemas
// from each other, and React Router would put every other export of a route module into the browser bundle.
import { apiHandler } from '#app/http/api/endpoint.ts';
import { apiCalls } from './document.ts';

const handler = apiHandler(apiCalls);

export const loader = handler;
export const action = handler;
