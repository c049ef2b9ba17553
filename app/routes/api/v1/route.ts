// The route module of every path below /api/v1. The calls are not route modules themselves: they share their schemas, and
// React Router would put what a route module exports into the browser bundle.
import { apiHandler } from '#app/http/api.ts';
import { apiCalls } from './document.ts';

const handler = apiHandler(apiCalls);

export const loader = handler;
export const action = handler;
