import { Answer, type Exchange, isObject, sendEmpty } from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { parseLittleText } from './little-text.ts';
import { checkText } from './posts.ts';
import { accessDenied, enterRest, foreignMember, gatewayError, pathKey, restBody } from './rest.ts';

const CHANGEABLE = ['commentary', 'contentCallToActionLabel', 'contentLandingPage'];

/** DELETE /rest/posts/{urn}: deleting again also succeeds, a urn that never was is not found. */
export function deletePost(state: State, call: Exchange, segment: string) {
  const caller = enterRest(state, call);
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
export function updatePost(state: State, call: Exchange, segment: string, raw: string) {
  const caller = enterRest(state, call);
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
  const fixed = Object.keys(set).filter((name) => !CHANGEABLE.includes(name));
  if (fixed.length > 0) {
    const lines = fixed.map(
      (name) => `ERROR :: /${name} :: CreateOnly field present in a partial_update request\n`,
    );
    throw new Answer(422, { message: lines.join(''), status: 422 });
  }
  if (set.commentary !== undefined && typeof set.commentary !== 'string') {
    const message = `ERROR :: /commentary :: ${JSON.stringify(set.commentary)} cannot be coerced to String\n`;
    throw new Answer(422, { message, status: 422 });
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
