import { bearer, type Exchange, pause, readText, sendJson } from './http.ts';
import { initializeUpload } from './linkedin-images.ts';
import { claimsOf } from './linkedin-oauth-token.ts';
import { deletePost, updatePost } from './linkedin-post-edit.ts';
import { createPost } from './linkedin-posts.ts';
import { accessDenied, enterRest, gatewayError } from './linkedin-rest.ts';
import { authenticate } from './linkedin-tokens.ts';
import type { State } from './state.ts';

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
  const raw = await readText(req);
  const [area, resource = '', key, ...more] = call.rawPath.slice('/linkedin-api/'.length).split('/');
  if (area === 'rest' && resource === 'posts' && key === undefined && req.method === 'POST') {
    return createPost(state, call, raw);
  }
  await pause(res, state.latencyMs);
  if (area === 'v2') return profile(state, call, resource);
  if (area !== 'rest' || more.length > 1) throw gatewayError(404, 'NOT_FOUND', 'No such resource');
  const caller = enterRest(state, call);
  if (req.method === 'GET' && CLOSED[resource]) throw accessDenied(CLOSED[resource], caller.version);
  if (resource === 'posts' && key) {
    if (req.method === 'DELETE') return deletePost(state, call, key);
    if (req.method === 'POST') return updatePost(state, call, key, raw);
  }
  if (resource === 'images' && !key && req.method === 'POST') return initializeUpload(state, call, raw);
  if (CLOSED[resource]) throw gatewayError(405, 'METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
  throw gatewayError(404, 'RESOURCE_NOT_FOUND', `No virtual resource found for ${resource}`);
}

function profile(state: State, { req, res }: Exchange, resource: string) {
  const { token, member } = authenticate(state, bearer(req));
  if (req.method !== 'GET')
    throw gatewayError(405, 'METHOD_NOT_ALLOWED', `${req.method} is not allowed here`);
  if (resource !== 'userinfo') throw accessDenied(`${resource}.GET`, 'NO_VERSION');
  if (!token.scopes.includes('openid') || !token.scopes.includes('profile')) {
    throw accessDenied('userinfo.GET', 'NO_VERSION');
  }
  sendJson(res, 200, claimsOf(member, token.scopes));
}
