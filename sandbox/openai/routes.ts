import { randomBytes } from 'node:crypto';
import { bearer, type Exchange, sendJson } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { complete } from './chat.ts';
import { findModel, MODELS, modelShape } from './models.ts';
import { incorrectKey, refuse } from './refusals.ts';
import { respond } from './responses.ts';

/** Everything below /openai/v1. */
export async function openai(state: State, call: Exchange) {
  const { req, res } = call;
  res.setHeader('x-request-id', `req_${randomBytes(12).toString('hex')}`);
  const key = bearer(req);
  if (!key.startsWith('sk-')) return incorrectKey(key);
  const path = call.rawPath.slice('/openai/v1'.length);
  if (req.method === 'GET' && path === '/models') {
    return sendJson(res, 200, { object: 'list', data: MODELS.map(modelShape) });
  }
  if (req.method === 'GET' && path.startsWith('/models/')) {
    return sendJson(res, 200, modelShape(findModel(decodeURIComponent(path.slice('/models/'.length)))));
  }
  if (req.method === 'POST' && path === '/chat/completions') return complete(state, call);
  if (req.method === 'POST' && path === '/responses') return respond(state, call);
  refuse(404, { message: `Invalid URL (${req.method} ${path})`, type: 'invalid_request_error', code: null });
}
