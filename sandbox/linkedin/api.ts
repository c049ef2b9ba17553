import type { IncomingMessage } from 'node:http';
import { Answer, bearer, type Exchange, pause, readText, sendJson } from '#sandbox/server/http.ts';
import { drawLatency } from '#sandbox/server/latency.ts';
import type { State } from '#sandbox/state.ts';
import { throughDoor } from './doors.ts';
import { initializeUpload } from './images.ts';
import { claimsOf } from './oauth-token.ts';
import { deletePost, updatePost } from './post-edit.ts';
import { isResetBeforeBody } from './post-faults.ts';
import { createPost } from './posts.ts';
import { accessDenied, enterRest, gatewayError } from './rest.ts';
import { authenticate } from './tokens.ts';

const MOST_URL_BYTES = 8192;

/** Reads an application with Share on LinkedIn does not get, with the resource LinkedIn names for each. */
const CLOSED: Record<string, string> = {
  posts: 'partnerApiPostsExternal.GET',
  images: 'partnerApiImages.GET',
  socialActions: 'partnerApiSocialActions.GET',
  socialMetadata: 'partnerApiSocialMetadata.GET',
  memberCreatorPostAnalytics: 'partnerApiMemberCreatorPostAnalytics.FINDER-entity',
  memberFollowersCount: 'partnerApiMemberFollowersCount.FINDER-me',
};

/** Everything below /linkedin-api: the host api.linkedin.com. */
export async function linkedinApi(state: State, call: Exchange) {
  const { req, res } = call;
  if ((req.url ?? '').length > MOST_URL_BYTES)
    throw new Answer(414, { message: 'URI Too Long', status: 414 });
  const [area, resource = '', key, ...more] = call.rawPath.slice('/linkedin-api/'.length).split('/');
  const verb = verbOf(req);
  const isCollection = area === 'rest' && key === undefined;
  const isCreate = isCollection && resource === 'posts' && verb === 'POST' && isCreateMethod(req);
  if (isCreate && isResetBeforeBody(state, call)) return;
  const raw = await readText(req);
  if (isCreate) return createPost(state, call, raw);
  await pause(res, drawLatency(state));
  if (area === 'v2' && resource === 'userinfo') {
    return throughDoor(state, call, 'userinfo', raw, (through) => profile(state, through, resource));
  }
  if (area === 'v2') return profile(state, call, resource);
  if (area !== 'rest' || more.length > 1) throw gatewayError(404, 'NOT_FOUND', 'No such resource');
  return rest(state, call, { verb, resource, key, raw });
}

type RestCall = { verb: string; resource: string; key: string | undefined; raw: string };

async function rest(state: State, call: Exchange, { verb, resource, key, raw }: RestCall) {
  if (resource === 'posts' && key && verb === 'DELETE') {
    return throughDoor(state, call, 'delete', raw, (through) => deletePost(state, through, key));
  }
  if (resource === 'posts' && key && verb === 'POST') {
    return throughDoor(state, call, 'edit', raw, (through) => updatePost(state, through, key, raw));
  }
  if (resource === 'images' && !key && verb === 'POST') {
    return throughDoor(state, call, 'initialize', raw, (through) => initializeUpload(state, through, raw));
  }
  const caller = enterRest(state, call);
  const closed = CLOSED[resource];
  if (!closed) throw gatewayError(404, 'RESOURCE_NOT_FOUND', `No virtual resource found for ${resource}`);
  const method = restliMethod(call.req);
  if (method.startsWith('BATCH_')) throw accessDenied(`${closed.split('.')[0]}.${method}`, caller.version);
  if (verb === 'GET') throw accessDenied(closed, caller.version);
  throw gatewayError(405, 'METHOD_NOT_ALLOWED', `${verb} is not allowed here`);
}

const restliMethod = (req: IncomingMessage) => String(req.headers['x-restli-method'] ?? '').toUpperCase();
const isCreateMethod = (req: IncomingMessage) => ['', 'CREATE'].includes(restliMethod(req));

/** A long query may be sent as the body of a POST that says which verb it stands for. */
function verbOf(req: IncomingMessage): string {
  const override = req.headers['x-http-method-override'];
  return req.method === 'POST' && typeof override === 'string' ? override.toUpperCase() : (req.method ?? '');
}

function profile(state: State, { req, res, origin }: Exchange, resource: string) {
  const { token, member } = authenticate(state, bearer(req));
  if (req.method !== 'GET')
    throw gatewayError(405, 'METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
  if (resource !== 'userinfo') throw accessDenied(`${resource}.GET`, 'NO_VERSION');
  if (!token.scopes.includes('openid') || !token.scopes.includes('profile')) {
    throw accessDenied('userinfo.GET', 'NO_VERSION');
  }
  sendJson(res, 200, claimsOf(state, member, token.scopes, origin));
}
