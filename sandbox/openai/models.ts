import { isObject } from '#sandbox/server/http.ts';
import { invalid, refuse } from './refusals.ts';

export type Model = { id: string; isReasoning: boolean; hasVision: boolean; contextTokens: number };

export const MODELS: Model[] = [
  { id: 'gpt-5-mini', isReasoning: true, hasVision: true, contextTokens: 400_000 },
  { id: 'gpt-5', isReasoning: true, hasVision: true, contextTokens: 400_000 },
  { id: 'gpt-4.1-mini', isReasoning: false, hasVision: true, contextTokens: 1_000_000 },
  { id: 'gpt-4o-mini', isReasoning: false, hasVision: true, contextTokens: 128_000 },
  { id: 'gpt-3.5-turbo', isReasoning: false, hasVision: false, contextTokens: 16_385 },
];

type Parameters = Record<string, (value: unknown) => boolean>;

const isEffort = (value: unknown) => ['minimal', 'low', 'medium', 'high'].includes(String(value));
const COMMON_PARAMETERS: Parameters = {
  model: () => true,
  stream: isSwitch,
  stream_options: isObject,
  temperature: (value) => isBetween(value, 0, 2),
  top_p: (value) => isBetween(value, 0, 1),
  store: isSwitch,
  metadata: isObject,
  user: isText,
  safety_identifier: isText,
  prompt_cache_key: isText,
  service_tier: isText,
};
/** The parameters of chat completions with their checks. */
export const CHAT_PARAMETERS: Parameters = {
  ...COMMON_PARAMETERS,
  messages: () => true,
  response_format: isObject,
  max_tokens: isCount,
  max_completion_tokens: isCount,
  n: (value) => value === 1,
  presence_penalty: (value) => isBetween(value, -2, 2),
  frequency_penalty: (value) => isBetween(value, -2, 2),
  reasoning_effort: isEffort,
  verbosity: (value) => ['low', 'medium', 'high'].includes(String(value)),
  seed: Number.isInteger,
  stop: (value) => typeof value === 'string' || Array.isArray(value),
};
/** The parameters of responses with their checks. */
export const RESPONSE_PARAMETERS: Parameters = {
  ...COMMON_PARAMETERS,
  input: (value) => isText(value) || Array.isArray(value),
  instructions: isText,
  text: isObject,
  max_output_tokens: isCount,
  reasoning: (value) => isObject(value) && (value.effort === undefined || isEffort(value.effort)),
  truncation: (value) => value === 'auto' || value === 'disabled',
};
const NOT_FOR_REASONING = ['max_tokens', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];

function isSwitch(value: unknown): boolean {
  return typeof value === 'boolean';
}
function isText(value: unknown): boolean {
  return typeof value === 'string';
}
function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}
function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

export const modelShape = ({ id }: Model) => ({
  id,
  object: 'model',
  created: 1_750_000_000,
  owned_by: 'sandbox',
});

export function findModel(id: string): Model {
  return MODELS.find((each) => each.id === id) ?? modelNotFound(id);
}

export function modelNotFound(id: string): never {
  const message = `The model \`${id}\` does not exist or you do not have access to it.`;
  refuse(404, { message, type: 'invalid_request_error', code: 'model_not_found' });
}

/** Throws OpenAI's errors for unknown, invalid and unsupported parameters. */
export function checkParameters(body: Record<string, unknown>, model: Model, known: Parameters): void {
  for (const [name, value] of Object.entries(body)) {
    const isValid = known[name];
    if (!isValid) {
      const message = `Unknown parameter: '${name}'.`;
      refuse(400, { message, type: 'invalid_request_error', param: name, code: 'unknown_parameter' });
    }
    if (value === null) continue;
    if (!isValid(value)) invalid(`Invalid value for '${name}': ${JSON.stringify(value)}.`, name);
    const isUnsupported = model.isReasoning
      ? NOT_FOR_REASONING.includes(name) && value !== 1
      : ['reasoning_effort', 'verbosity', 'reasoning'].includes(name);
    if (isUnsupported) unsupported(name);
  }
  if (isCount(body.max_tokens) && isCount(body.max_completion_tokens)) {
    invalid(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
    );
  }
}

function unsupported(name: string): never {
  const instead = name === 'max_tokens' ? " Use 'max_completion_tokens' instead." : '';
  const message = `Unsupported parameter: '${name}' is not supported with this model.${instead}`;
  refuse(400, { message, type: 'invalid_request_error', param: name, code: 'unsupported_parameter' });
}

export function contextTooLong(tokens: number, { contextTokens }: { contextTokens: number }): never {
  const message = `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
  refuse(400, { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' });
}
