import type OpenAI from 'openai';

/** The features that a server supports. A feature that it refuses is not sent again while the process lives. */
export type Dialect = {
  /** `response_format`: a JSON schema, any JSON, or none. */
  structured: 'schema' | 'json' | 'off';
  /** The server has ignored the schema before: the prompt contains it, too. */
  hasSchemaInPrompt: boolean;
  /** The name of the limit parameter, which older servers call differently. */
  tokenParameter: 'max_completion_tokens' | 'max_tokens' | null;
  /** The most tokens per answer, if the server has reported it. */
  tokenLimit: number | null;
  /** Tokens that reasoning needed beyond the expected ones. */
  extraTokens: number;
  effort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null;
  /** Supports the system role; otherwise its text becomes part of the first message. */
  hasSystem: boolean;
};

/** Additional tokens for reasoning, which counts as part of the answer. */
const REASONING_TOKENS = { none: 0, minimal: 1_000, low: 4_000, medium: 8_000, high: 16_000, xhigh: 24_000 };
/** The limit for a server that counts the answer's tokens as part of a small context. */
const MIN_TOKENS = 1_500;

export type DialectSettings = {
  structured: 'auto' | Dialect['structured'];
  effort: 'off' | NonNullable<Dialect['effort']>;
};

export const firstDialect = ({ structured, effort }: DialectSettings): Dialect => ({
  structured: structured === 'auto' ? 'schema' : structured,
  hasSchemaInPrompt: false,
  tokenParameter: 'max_completion_tokens',
  tokenLimit: null,
  extraTokens: 0,
  effort: effort === 'off' ? null : effort,
  hasSystem: true,
});

export type Picture = { bytes: Buffer; contentType: string };
type PromptMessage = {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** Only for the role user. Sent before the text. */
  picture?: Picture;
};

export type CompletionInput = {
  model: string;
  name: string;
  schema: Record<string, unknown>;
  messages: PromptMessage[];
  /** For the answer, without reasoning. */
  maxTokens: number;
};

/** The body of a request in a server's dialect. Without a temperature, which reasoning models refuse. */
export function requestBody(
  dialect: Dialect,
  input: CompletionInput,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { structured, effort, tokenParameter } = dialect;
  const { model, name, schema } = input;
  const format =
    structured === 'schema'
      ? ({ type: 'json_schema', json_schema: { name, strict: true, schema } } as const)
      : ({ type: 'json_object' } as const);
  return {
    model,
    messages: messagesOf(dialect, input).map(toApiMessage),
    ...(structured === 'off' ? {} : { response_format: format }),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...(tokenParameter ? { [tokenParameter]: tokensFor(dialect, input) } : {}),
  };
}

/** Only a message with a picture has parts, because small servers support text only. `pictureFetch` adds the bytes. */
function toApiMessage({ role, content, picture }: PromptMessage): OpenAI.ChatCompletionMessageParam {
  if (!picture) return { role, content };
  const url = `data:${picture.contentType};base64,`;
  const parts = [
    { type: 'image_url', image_url: { url } },
    { type: 'text', text: content },
  ] as const;
  return { role: 'user', content: [...parts] };
}

export const picturesOf = ({ messages }: CompletionInput): Buffer[] =>
  messages.flatMap(({ picture }) => (picture ? [picture.bytes] : []));

function tokensFor({ effort, extraTokens, tokenLimit }: Dialect, { maxTokens }: CompletionInput): number {
  const wanted = maxTokens + extraTokens + (effort ? REASONING_TOKENS[effort] : 0);
  return Math.min(wanted, tokenLimit ?? wanted);
}

function messagesOf(
  { structured, hasSchemaInPrompt, hasSystem }: Dialect,
  { schema, messages }: CompletionInput,
) {
  const format = `Answer with one JSON object and nothing else. It follows this JSON schema:\n${JSON.stringify(schema)}`;
  const rules = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  if (hasSchemaInPrompt || structured !== 'schema') rules.push(format);
  const rest = messages.filter(({ role }) => role !== 'system');
  const content = rules.join('\n\n');
  if (!content) return mergeMessages(rest);
  const role = !hasSystem && rest.length > 0 ? ('user' as const) : ('system' as const);
  return mergeMessages([{ role, content }, ...rest]);
}

/** Some models refuse two consecutive messages with the same role. */
function mergeMessages(messages: CompletionInput['messages']): CompletionInput['messages'] {
  const merged: CompletionInput['messages'] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) {
      Object.assign(last, message, { content: `${last.content}\n\n${message.content}` });
    } else merged.push({ ...message });
  }
  return merged;
}

type Refusal = { param: string; message: string };

/** Returns how to change the dialect after the server refused `sent`, or undefined if no change helps. */
export function adaptDialect(
  sent: Dialect,
  { param, message }: Refusal,
  isAuto: boolean,
): Partial<Dialect> | undefined {
  const mentions = (pattern: RegExp) => pattern.test(param) || pattern.test(message);
  if (sent.effort && mentions(/reasoning|thinking/i)) return { effort: null };
  if (sent.tokenParameter && mentions(/max_(completion_)?tokens/i)) return adaptTokenLimit(sent, message);
  if (
    isAuto &&
    sent.structured !== 'off' &&
    mentions(/response_format|json_schema|json_object|structured|grammar/i)
  ) {
    return { structured: sent.structured === 'schema' ? 'json' : 'off' };
  }
  if (sent.hasSystem && mentions(/system/i) && mentions(/role/i)) return { hasSystem: false };
  return undefined;
}

function adaptTokenLimit({ tokenParameter }: Dialect, message: string): Partial<Dialect> {
  const [, limit] =
    /(?:at most|up to|maximum(?: value)?(?: of| is|:)?|<=|less than or equal to) (\d{2,6})/i.exec(message) ??
    [];
  if (limit) return { tokenLimit: Number(limit) };
  return { tokenParameter: tokenParameter === 'max_completion_tokens' ? 'max_tokens' : null };
}

/** Limits the answer's tokens once, if the server says that they do not fit into the context. */
export const withTokenLimit = (
  { tokenLimit, tokenParameter }: Dialect,
  { message }: Refusal,
): Partial<Dialect> | undefined =>
  tokenParameter && tokenLimit === null && /completion/i.test(message)
    ? { tokenLimit: MIN_TOKENS }
    : undefined;
