import type { IncomingMessage } from 'node:http';
import {
  bearer,
  type Exchange,
  isObject,
  pause,
  readText,
  sendEmpty,
  sendJson,
  ThrownResponse,
} from '#sandbox/server/http.ts';
import { drawLatency } from '#sandbox/server/latency.ts';
import type { State } from '#sandbox/state.ts';
import { withFailures } from './doors.ts';
import { initializeUpload } from './images.ts';
import { parseLittleText } from './little-text.ts';
import { claimsOf } from './oauth-token.ts';
import { isResetBeforeBody } from './post-faults.ts';
import { checkText, createPost } from './posts.ts';
import { accessDenied, foreignMember, gatewayError, pathKey, requireCaller, restBody } from './rest.ts';
import { authenticate } from './tokens.ts';

const UPDATABLE = ['commentary', 'contentCallToActionLabel', 'contentLandingPage'];

/** DELETE /rest/posts/{urn}: idempotent, but an unknown urn is not found. */
function deletePost(state: State, call: Exchange, segment: string) {
  const caller = requireCaller(state, call);
  const urn = pathKey(segment);
  if (!caller.token.scopes.includes('w_member_social')) {
    throw accessDenied('partnerApiPostsExternal.DELETE', caller.version);
  }
  const owner = state.posts.get(urn)?.sub ?? state.deleted.get(urn);
  if (owner === undefined) throw gatewayError(404, 'NOT_FOUND', `Post ${urn} could not be found`);
  if (owner !== caller.member.sub) throw foreignMember();
  state.posts.delete(urn);
  state.deleted.set(urn, owner);
  sendEmpty(call.res, 204);
}

/** POST /rest/posts/{urn} with X-RestLi-Method: PARTIAL_UPDATE. */
function updatePost(state: State, call: Exchange, segment: string, raw: string) {
  const caller = requireCaller(state, call);
  const urn = pathKey(segment);
  if (String(call.req.headers['x-restli-method'] ?? '').toUpperCase() !== 'PARTIAL_UPDATE') {
    throw gatewayError(400, 'ILLEGAL_ARGUMENT', 'The header X-RestLi-Method must be PARTIAL_UPDATE');
  }
  if (!caller.token.scopes.includes('w_member_social')) {
    throw accessDenied('partnerApiPostsExternal.PARTIAL_UPDATE', caller.version);
  }
  const { patch } = restBody(call, raw);
  const set = isObject(patch) && isObject(patch.$set) ? patch.$set : null;
  if (!set) throw gatewayError(400, 'MISSING_FIELD', 'patch.$set is missing');
  const createOnly = Object.keys(set).filter((name) => !UPDATABLE.includes(name));
  if (createOnly.length > 0) {
    const lines = createOnly.map(
      (name) => `ERROR :: /${name} :: CreateOnly field present in a partial_update request\n`,
    );
    throw new ThrownResponse(422, { message: lines.join(''), status: 422 });
  }
  if (set.commentary !== undefined && typeof set.commentary !== 'string') {
    const message = `ERROR :: /commentary :: ${JSON.stringify(set.commentary)} cannot be coerced to String\n`;
    throw new ThrownResponse(422, { message, status: 422 });
  }
  const post = state.posts.get(urn);
  if (!post) throw gatewayError(404, 'NOT_FOUND', `Post ${urn} could not be found`);
  if (post.sub !== caller.member.sub) throw foreignMember();
  if (typeof set.commentary === 'string') {
    const { text, violation } = parseLittleText(set.commentary);
    checkText({ commentary: set.commentary, text }, post.imageUrn !== null || post.parent !== null);
    const editedAt = new Date().toISOString();
    state.posts.set(urn, { ...post, text, violation, commentary: set.commentary, editedAt });
  }
  sendEmpty(call.res, 204);
}

const MOST_URL_BYTES = 8192;

/** Resources that an application with Share on LinkedIn may not read, with their names in LinkedIn's errors. */
const FORBIDDEN_RESOURCES: Record<string, string> = {
  posts: 'partnerApiPostsExternal.GET',
  images: 'partnerApiImages.GET',
  socialActions: 'partnerApiSocialActions.GET',
  socialMetadata: 'partnerApiSocialMetadata.GET',
  memberCreatorPostAnalytics: 'partnerApiMemberCreatorPostAnalytics.FINDER-entity',
  memberFollowersCount: 'partnerApiMemberFollowersCount.FINDER-me',
};

/** Routes everything below /linkedin-api, which replaces the host api.linkedin.com. */
export async function linkedinApi(state: State, call: Exchange) {
  const { req, res } = call;
  if ((req.url ?? '').length > MOST_URL_BYTES)
    throw new ThrownResponse(414, { message: 'URI Too Long', status: 414 });
  const [area, resource = '', key, ...more] = call.rawPath.slice('/linkedin-api/'.length).split('/');
  const verb = verbOf(req);
  const isCollection = area === 'rest' && key === undefined;
  const isCreate = isCollection && resource === 'posts' && verb === 'POST' && isCreateMethod(req);
  if (isCreate && isResetBeforeBody(state, call)) return;
  const raw = await readText(req);
  if (isCreate) return createPost(state, call, raw);
  await pause(res, drawLatency(state));
  if (area === 'v2' && resource === 'userinfo') {
    return withFailures(state, call, 'userinfo', raw, (inner) => profile(state, inner, resource));
  }
  if (area === 'v2') return profile(state, call, resource);
  if (area !== 'rest' || more.length > 1) throw gatewayError(404, 'NOT_FOUND', 'No such resource');
  return rest(state, call, { verb, resource, key, raw });
}

type RestCall = { verb: string; resource: string; key: string | undefined; raw: string };

async function rest(state: State, call: Exchange, { verb, resource, key, raw }: RestCall) {
  if (resource === 'posts' && key && verb === 'DELETE') {
    return withFailures(state, call, 'delete', raw, (inner) => deletePost(state, inner, key));
  }
  if (resource === 'posts' && key && verb === 'POST') {
    return withFailures(state, call, 'edit', raw, (inner) => updatePost(state, inner, key, raw));
  }
  if (resource === 'images' && !key && verb === 'POST') {
    return withFailures(state, call, 'initialize', raw, (inner) => initializeUpload(state, inner, raw));
  }
  const caller = requireCaller(state, call);
  const forbidden = FORBIDDEN_RESOURCES[resource];
  if (!forbidden) throw gatewayError(404, 'RESOURCE_NOT_FOUND', `No virtual resource found for ${resource}`);
  const method = restliMethod(call.req);
  if (method.startsWith('BATCH_')) throw accessDenied(`${forbidden.split('.')[0]}.${method}`, caller.version);
  if (verb === 'GET') throw accessDenied(forbidden, caller.version);
  throw gatewayError(405, 'METHOD_NOT_ALLOWED', `${verb} is not allowed here`);
}

const restliMethod = (req: IncomingMessage) => String(req.headers['x-restli-method'] ?? '').toUpperCase();
const isCreateMethod = (req: IncomingMessage) => ['', 'CREATE'].includes(restliMethod(req));

/** A long query may be sent as the body of a POST with X-HTTP-Method-Override. */
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
