import { isObject } from '#sandbox/server/http.ts';
import { contentErrors } from './content-schema.ts';

const FIELDS = new Set([
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

/** All schema errors of a new post, with the texts of LinkedIn's Rest.li validator. */
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
    if (!FIELDS.has(name)) errors.push(`/${name} :: unrecognized field found but not allowed`);
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
  return [
    ...errors,
    ...distributionErrors(body.distribution),
    ...contentErrors(body.content),
    ...containerErrors(body),
    ...reshareErrors(body.reshareContext),
  ];
}

/** `container` names a group and is required with, and only allowed with, the visibility CONTAINER. */
function containerErrors({ visibility, container }: Record<string, unknown>): string[] {
  if (container === undefined || container === null) {
    return visibility === 'CONTAINER' ? ['/container :: field is required when visibility is CONTAINER'] : [];
  }
  if (typeof container !== 'string' || !/^urn:li:group:\d+$/.test(container)) {
    return [`/container :: "${String(container)}" is not a valid Urn. Invalid Urn format. Invalid prefix.`];
  }
  return visibility === 'CONTAINER' ? [] : ['/container :: is allowed only when visibility is CONTAINER'];
}

function reshareErrors(reshare: unknown): string[] {
  if (reshare === undefined || reshare === null) return [];
  if (!isObject(reshare)) return ['/reshareContext :: value is not a record'];
  const { parent, root: _, ...others } = reshare;
  const errors = Object.keys(others).map(
    (name) => `/reshareContext/${name} :: unrecognized field found but not allowed`,
  );
  if (parent === undefined) {
    errors.push('/reshareContext/parent :: field is required but not found and has no default value');
  } else if (typeof parent !== 'string' || !/^urn:li:(?:share|ugcPost):\d+$/.test(parent)) {
    errors.push(
      `/reshareContext/parent :: "${String(parent)}" is not a valid Urn. Invalid Urn format. Invalid prefix.`,
    );
  }
  return errors;
}

function distributionErrors(distribution: unknown): string[] {
  if (distribution === undefined || distribution === null) return [];
  if (!isObject(distribution)) return ['/distribution :: value is not a record'];
  const errors: string[] = [];
  const allowed = ['feedDistribution', 'targetEntities', 'thirdPartyDistributionChannels'];
  for (const name of Object.keys(distribution)) {
    if (!allowed.includes(name))
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
