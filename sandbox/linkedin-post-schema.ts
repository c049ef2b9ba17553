import { isObject } from './http.ts';

const KNOWN = new Set([
  'author',
  'commentary',
  'visibility',
  'distribution',
  'lifecycleState',
  'isReshareDisabledByAuthor',
  'content',
  'reshareContext',
  'container',
  'contentLandingPage',
  'contentCallToActionLabel',
  'adContext',
]);

const ENUMS: [path: string, values: string[]][] = [
  ['visibility', ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN', 'CONTAINER']],
  ['lifecycleState', ['PUBLISHED', 'DRAFT']],
];

/** The Rest.li schema errors of a create, all of them, in the words of the real validator. */
export function schemaErrors(body: Record<string, unknown>): string[] {
  const errors: string[] = [];
  const required = ['author', 'visibility', 'distribution', 'lifecycleState'];
  if (!isObject(body.reshareContext)) required.splice(1, 0, 'commentary');
  for (const name of required) {
    if (body[name] === undefined || body[name] === null) {
      errors.push(`/${name} :: field is required but not found and has no default value`);
    }
  }
  for (const name of Object.keys(body)) {
    if (!KNOWN.has(name)) errors.push(`/${name} :: unrecognized field found but not allowed`);
  }
  for (const name of ['author', 'commentary']) {
    const value = body[name];
    if (value !== undefined && value !== null && typeof value !== 'string') {
      errors.push(`/${name} :: ${JSON.stringify(value)} cannot be coerced to String`);
    }
  }
  if (typeof body.author === 'string' && !/^urn:li:(person|organization):/.test(body.author)) {
    errors.push(`/author :: "${body.author}" is not a valid Urn. Invalid Urn format. Invalid prefix.`);
  }
  for (const [name, values] of ENUMS) {
    const value = body[name];
    if (value !== undefined && value !== null && !values.includes(String(value))) {
      errors.push(`/${name} :: "${String(value)}" is not an enum symbol`);
    }
  }
  if (body.isReshareDisabledByAuthor !== undefined && typeof body.isReshareDisabledByAuthor !== 'boolean') {
    errors.push('/isReshareDisabledByAuthor :: value cannot be coerced to Boolean');
  }
  return [...errors, ...distributionErrors(body.distribution), ...contentErrors(body.content)];
}

function distributionErrors(distribution: unknown): string[] {
  if (distribution === undefined || distribution === null) return [];
  if (!isObject(distribution)) return ['/distribution :: value is not a record'];
  const errors: string[] = [];
  const known = ['feedDistribution', 'targetEntities', 'thirdPartyDistributionChannels'];
  for (const name of Object.keys(distribution)) {
    if (!known.includes(name))
      errors.push(`/distribution/${name} :: unrecognized field found but not allowed`);
  }
  if (distribution.feedDistribution === undefined) {
    errors.push('/distribution/feedDistribution :: field is required but not found and has no default value');
  } else if (!['MAIN_FEED', 'NONE'].includes(String(distribution.feedDistribution))) {
    errors.push(
      `/distribution/feedDistribution :: "${String(distribution.feedDistribution)}" is not an enum symbol`,
    );
  }
  return errors;
}

function contentErrors(content: unknown): string[] {
  if (content === undefined) return [];
  if (!isObject(content)) return ['/content :: value is not a union'];
  const names = Object.keys(content);
  const known = ['media', 'multiImage', 'article', 'poll', 'reference', 'celebration'];
  if (names.length !== 1) return ['/content :: union must have exactly a single member'];
  if (!known.includes(names[0] ?? ''))
    return [`/content/${names[0]} :: unrecognized field found but not allowed`];
  const { media } = content;
  if (media === undefined) return [];
  if (!isObject(media)) return ['/content/media :: value is not a record'];
  const errors: string[] = [];
  for (const name of Object.keys(media)) {
    if (!['id', 'altText', 'title'].includes(name)) {
      errors.push(`/content/media/${name} :: unrecognized field found but not allowed`);
    }
  }
  if (media.id === undefined) {
    errors.push('/content/media/id :: field is required but not found and has no default value');
  } else if (typeof media.id !== 'string' || !/^urn:li:(image|video|document):/.test(media.id)) {
    errors.push(
      `/content/media/id :: "${String(media.id)}" is not a valid Urn. Invalid Urn format. Invalid prefix.`,
    );
  }
  if (typeof media.altText === 'string' && media.altText.length > 4086) {
    errors.push('/content/media/altText :: length is greater than the maximum of 4086');
  }
  return errors;
}

/** The picture urns a content refers to. */
export function imagesOf(content: unknown): { urn: string; altText: string | null }[] {
  if (!isObject(content)) return [];
  const list = isObject(content.multiImage) ? content.multiImage.images : [content.media];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap((each) => {
    const altText = typeof each.altText === 'string' ? each.altText : null;
    return typeof each.id === 'string' ? [{ urn: each.id, altText }] : [];
  });
}
