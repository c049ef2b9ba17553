import { pictureSize } from '#sandbox/images/picture-file.ts';
import { isObject } from '#sandbox/server/http.ts';
import type { Turn } from '#sandbox/writer/mend.ts';
import type { Model } from './models.ts';
import { invalid, refuse } from './refusals.ts';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];
const DETAILS = ['auto', 'low', 'high', 'original'];
const DATA_URL = /^data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The position of a part of a message, and the model of the request. */
type PartPosition = { role: string; message: number; part: number; model: Model };

export function turnsOf({ messages }: Record<string, unknown>, model: Model): Turn[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    invalid("Missing required parameter: 'messages'.", 'messages');
  }
  return messages.map((message: unknown, index) => {
    const role = isObject(message) ? String(message.role) : '';
    if (!isObject(message) || !ROLES.includes(role)) {
      const all = ROLES.map((each) => `'${each}'`).join(', ');
      invalid(`Invalid value: '${role}'. Supported values are: ${all}.`, `messages[${index}].role`);
    }
    return turnOf(role, message.content, index, model);
  });
}

export function turnOf(role: string, content: unknown, message: number, model: Model): Turn {
  if (typeof content === 'string') return { role, content };
  if (!Array.isArray(content)) {
    if (content === null && role === 'assistant') return { role, content: '' };
    const type = content === null ? 'null' : typeof content;
    invalid(
      `Invalid type for 'messages[${message}].content': expected one of a string or array of objects, but got ${type} instead.`,
      `messages[${message}].content`,
    );
  }
  const parts = content.map((part: unknown, index) => partOf(part, { role, message, part: index, model }));
  const texts = parts.filter((part) => typeof part === 'string');
  const picture = parts.find((part) => typeof part !== 'string');
  return { role, content: texts.join('\n'), ...(picture ? { picture } : {}) };
}

function partOf(part: unknown, position: PartPosition): string | Buffer {
  const where = `messages[${position.message}].content[${position.part}]`;
  const type = isObject(part) ? part.type : undefined;
  if (isObject(part) && (type === 'text' || type === 'input_text' || type === 'output_text')) {
    if (typeof part.text === 'string') return part.text;
    invalid(`Missing required parameter: '${where}.text'.`, `${where}.text`);
  }
  if (isObject(part) && type === 'refusal' && position.role === 'assistant') return String(part.refusal);
  if (isObject(part) && type === 'image_url')
    return pictureOf(part.image_url, `${where}.image_url`, position);
  if (isObject(part) && type === 'input_image') {
    return pictureOf({ url: part.image_url, detail: part.detail }, `${where}.image_url`, position);
  }
  invalid(
    `Invalid value: '${String(type)}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`,
    `${where}.type`,
  );
}

/** The sandbox takes only data URLs; it downloads no pictures. */
function pictureOf(image: unknown, where: string, { role, message, part, model }: PartPosition): Buffer {
  if (role !== 'user') {
    invalid(
      `Invalid 'messages[${message}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`,
      `messages[${message}]`,
    );
  }
  if (!model.hasVision) imagesNotSupported(message, part);
  if (!isObject(image)) {
    const message = `Invalid type for '${where}': expected an object, but got a ${typeof image} instead.`;
    refuse(400, { message, type: 'invalid_request_error', param: where, code: 'invalid_type' });
  }
  const { url, detail } = image;
  if (detail !== undefined && detail !== null && !DETAILS.includes(String(detail))) {
    invalid(`Invalid value: '${String(detail)}'. Supported values are: 'low', 'high', and 'auto'.`, where);
  }
  if (/^https?:/.test(String(url))) {
    const message = `Error while downloading ${String(url)}.`;
    refuse(400, { message, type: 'invalid_request_error', param: 'url', code: 'invalid_image_url' });
  }
  const [, base64] = DATA_URL.exec(String(url)) ?? [];
  if (base64 === undefined) {
    const message = `Invalid image URL: '${where}.url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type or no data.`;
    refuse(400, { message, type: 'invalid_request_error', param: `${where}.url`, code: 'invalid_value' });
  }
  const bytes = Buffer.from(base64, 'base64');
  return pictureSize(bytes) ? bytes : invalidImage();
}

export function imagesNotSupported(message = 0, part = 0): never {
  invalid(
    'Invalid content type. image_url is only supported by certain models.',
    `messages.[${message}].content.[${part}].type`,
  );
}

export function invalidImage(): never {
  const message =
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";
  refuse(400, { message, type: 'invalid_request_error', code: 'invalid_image_format' });
}
