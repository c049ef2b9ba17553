import { isObject } from '#sandbox/server/http.ts';

const ALT_TEXT_MAX = 4086;
const TITLE_MAX = 400;
const DURATIONS = ['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'];

const MISSING = 'field is required but not found and has no default value';

/** `urn`: the entity types that the field may name, as a regular expression. */
type TextField = { name: string; isRequired?: boolean; max?: number; urn?: string };

function textErrors(path: string, record: Record<string, unknown>, fields: TextField[]): string[] {
  return fields.flatMap(({ name, isRequired, max, urn }) => {
    const value = record[name];
    if (value === undefined || value === null || value === '') {
      return isRequired ? [`${path}/${name} :: ${MISSING}`] : [];
    }
    if (typeof value !== 'string') {
      return [`${path}/${name} :: ${JSON.stringify(value)} cannot be coerced to String`];
    }
    if (max !== undefined && value.length > max) {
      return [`${path}/${name} :: length is greater than the maximum of ${max}`];
    }
    const isUrn = urn === undefined || new RegExp(`^urn:li:(?:${urn}):[\\w-]+$`).test(value);
    return isUrn
      ? []
      : [`${path}/${name} :: "${value}" is not a valid Urn. Invalid Urn format. Invalid prefix.`];
  });
}

/** `others`: the names of fields that are not texts. */
function recordErrors(path: string, value: unknown, fields: TextField[], others: string[] = []): string[] {
  if (!isObject(value)) return [`${path} :: value is not a record`];
  const allowed = [...fields.map(({ name }) => name), ...others];
  const unknown = Object.keys(value).filter((name) => !allowed.includes(name));
  return [
    ...unknown.map((name) => `${path}/${name} :: unrecognized field found but not allowed`),
    ...textErrors(path, value, fields),
  ];
}

function listErrors(
  path: string,
  value: unknown,
  [min, max]: [number, number],
  each: (path: string, item: unknown) => string[],
) {
  if (!Array.isArray(value)) return [`${path} :: value is not an array`];
  if (value.length < min || value.length > max) {
    return [`${path} :: size must be between ${min} and ${max}, but it is ${value.length}`];
  }
  return value.flatMap((item, index) => each(`${path}/${index}`, item));
}

const altText = { name: 'altText', max: ALT_TEXT_MAX };

function mediaErrors(path: string, media: unknown): string[] {
  const isDocument = isObject(media) && String(media.id).startsWith('urn:li:document:');
  return recordErrors(path, media, [
    { name: 'id', isRequired: true, urn: 'image|video|document' },
    { name: 'title', isRequired: isDocument, max: TITLE_MAX },
    altText,
  ]);
}

function multiImageErrors(path: string, value: unknown): string[] {
  const id = { name: 'id', isRequired: true, urn: 'image' };
  const image = (itemPath: string, item: unknown) => recordErrors(itemPath, item, [id, altText]);
  const errors = recordErrors(path, value, [altText], ['images']);
  return isObject(value)
    ? [...errors, ...listErrors(`${path}/images`, value.images, [2, 20], image)]
    : errors;
}

function articleErrors(path: string, article: unknown): string[] {
  const errors = recordErrors(path, article, [
    { name: 'source', isRequired: true },
    { name: 'title', isRequired: true, max: TITLE_MAX },
    { name: 'description', max: ALT_TEXT_MAX },
    { name: 'thumbnail', urn: 'image' },
    { name: 'thumbnailAltText', max: ALT_TEXT_MAX },
  ]);
  const source = isObject(article) && typeof article.source === 'string' ? article.source : '';
  if (source === '' || (URL.canParse(source) && /^https?:$/.test(new URL(source).protocol))) return errors;
  return [...errors, `${path}/source :: "${source}" is not a valid URL`];
}

function pollErrors(path: string, poll: unknown): string[] {
  const errors = recordErrors(
    path,
    poll,
    [{ name: 'question', isRequired: true, max: 140 }],
    ['options', 'settings'],
  );
  if (!isObject(poll)) return errors;
  const option = (itemPath: string, item: unknown) =>
    recordErrors(itemPath, item, [{ name: 'text', isRequired: true, max: 30 }]);
  const { settings } = poll;
  const duration = isObject(settings) ? settings.duration : undefined;
  return [
    ...errors,
    ...listErrors(`${path}/options`, poll.options, [2, 4], option),
    ...(duration === undefined ? [`${path}/settings/duration :: ${MISSING}`] : []),
    ...(duration === undefined || DURATIONS.includes(String(duration))
      ? []
      : [`${path}/settings/duration :: "${String(duration)}" is not an enum symbol`]),
  ];
}

const CONTENTS: Record<string, (path: string, value: unknown) => string[]> = {
  media: mediaErrors,
  multiImage: multiImageErrors,
  article: articleErrors,
  poll: pollErrors,
};

/** The errors in the content of a post, a union with exactly one member. */
export function contentErrors(content: unknown): string[] {
  if (content === undefined || content === null) return [];
  if (!isObject(content)) return ['/content :: value is not a union'];
  const [name = '', ...more] = Object.keys(content);
  if (name === '' || more.length > 0) return ['/content :: union must have exactly a single member'];
  const check = CONTENTS[name];
  if (!check) return [`/content/${name} :: unrecognized field found but not allowed`];
  return check(`/content/${name}`, content[name]);
}

/** All media that the content refers to, including the thumbnail of an article. */
export function mediaOf(content: unknown): { urn: string; altText: string | null }[] {
  if (!isObject(content)) return [];
  const { multiImage, media, article } = content;
  const list = isObject(multiImage) ? multiImage.images : [media];
  const all = Array.isArray(list) ? list.filter(isObject) : [];
  if (isObject(article)) all.push({ id: article.thumbnail, altText: article.thumbnailAltText });
  return all.flatMap(({ id, altText }) => {
    const text = typeof altText === 'string' ? altText : null;
    return typeof id === 'string' ? [{ urn: id, altText: text }] : [];
  });
}
