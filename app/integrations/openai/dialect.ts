import type OpenAI from 'openai';

/** What a server takes of a request. What it refuses by name is left out for as long as the process lives. */
export type Dialect = {
  /** How the shape is asked for: JSON schema, JSON of any shape, or words alone. */
  structured: 'schema' | 'json' | 'off';
  /** It has not kept to a schema: the shape stands in the messages as well. */
  isTold: boolean;
  /** The name of the parameter for the room of an answer, which older servers call differently. */
  room: 'max_completion_tokens' | 'max_tokens' | null;
  /** The most tokens it gives one answer, when it said so. */
  mostRoom: number | null;
  /** Tokens that answers needed beyond what they were given: those of models that think. */
  extraRoom: number;
  effort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | null;
  /** It has messages of the system; else they stand at the head of the first one. */
  hasSystem: boolean;
};

/** Thinking is paid and counted as part of the answer: room for it beside the answer, in tokens. */
const THINKING_ROOM = { none: 0, minimal: 1_000, low: 4_000, medium: 8_000, high: 16_000, xhigh: 24_000 };
/** What is asked of a server that counts the room of the answer as part of a small context. */
const LEAST_ROOM = 1_500;

type DialectSettings = {
  structured: 'auto' | Dialect['structured'];
  effort: 'off' | NonNullable<Dialect['effort']>;
};

export const firstDialect = ({ structured, effort }: DialectSettings): Dialect => ({
  structured: structured === 'auto' ? 'schema' : structured,
  isTold: false,
  room: 'max_completion_tokens',
  mostRoom: null,
  extraRoom: 0,
  effort: effort === 'off' ? null : effort,
  hasSystem: true,
});

export type Picture = { bytes: Buffer; contentType: string };
type ServerReply = {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** Of a user: looked at before what is said of it. */
  picture?: Picture;
};

export type CompletionInput = {
  model: string;
  name: string;
  schema: Record<string, unknown>;
  messages: ServerReply[];
  /** Room for the answer itself, in tokens. */
  mostTokens: number;
};

/** A request in the dialect of the server. No temperature: models that think refuse any but their own. */
export function bodyOf(
  dialect: Dialect,
  asked: CompletionInput,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { structured, effort, room } = dialect;
  const { model, name, schema } = asked;
  const format =
    structured === 'schema'
      ? ({ type: 'json_schema', json_schema: { name, strict: true, schema } } as const)
      : ({ type: 'json_object' } as const);
  return {
    model,
    messages: messagesOf(dialect, asked).map(written),
    ...(structured === 'off' ? {} : { response_format: format }),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...(room ? { [room]: roomOf(dialect, asked) } : {}),
  };
}

/**
 * A message as it is sent. Only what is sent with a picture has parts: small servers know texts alone. The bytes of the
 * picture are written into their place while it is sent.
 */
function written({ role, content, picture }: ServerReply): OpenAI.ChatCompletionMessageParam {
  if (!picture) return { role, content };
  const url = `data:${picture.contentType};base64,`;
  const parts = [
    { type: 'image_url', image_url: { url } },
    { type: 'text', text: content },
  ] as const;
  return { role: 'user', content: [...parts] };
}

/** The bytes of the pictures that a request has places for. */
export const picturesOf = ({ messages }: CompletionInput): Buffer[] =>
  messages.flatMap(({ picture }) => (picture ? [picture.bytes] : []));

function roomOf({ effort, extraRoom, mostRoom }: Dialect, { mostTokens }: CompletionInput): number {
  const wished = mostTokens + extraRoom + (effort ? THINKING_ROOM[effort] : 0);
  return Math.min(wished, mostRoom ?? wished);
}

function messagesOf({ structured, isTold, hasSystem }: Dialect, { schema, messages }: CompletionInput) {
  const form = `Answer with one JSON object and nothing else. It follows this JSON schema:\n${JSON.stringify(schema)}`;
  const isSaid = isTold || structured !== 'schema';
  const rules = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const system = [...rules, ...(isSaid ? [form] : [])].join('\n\n');
  const rest = messages.filter(({ role }) => role !== 'system');
  const isFolded = !hasSystem && rest.length > 0;
  const head = { role: isFolded ? ('user' as const) : ('system' as const), content: system };
  return joined(system ? [head, ...rest] : rest);
}

/** Templates of some models refuse two messages of one role in a row. */
function joined(messages: CompletionInput['messages']): CompletionInput['messages'] {
  const joint: CompletionInput['messages'] = [];
  for (const message of messages) {
    const last = joint.at(-1);
    if (last?.role === message.role) {
      Object.assign(last, message, { content: `${last.content}\n\n${message.content}` });
    } else joint.push({ ...message });
  }
  return joint;
}

/** What a server says of a request that it refuses. */
type Refusal = { param: string; message: string };

/** What to leave out or to say differently after a definite no, compared with what was sent; undefined when nothing helps. */
export function adapted(
  sent: Dialect,
  { param, message }: Refusal,
  isFree: boolean,
): Partial<Dialect> | undefined {
  const says = (words: RegExp) => words.test(param) || words.test(message);
  if (sent.effort && says(/reasoning|thinking/i)) return { effort: null };
  if (sent.room && says(/max_(completion_)?tokens/i)) return otherRoom(sent, message);
  if (
    isFree &&
    sent.structured !== 'off' &&
    says(/response_format|json_schema|json_object|structured|grammar/i)
  ) {
    return { structured: sent.structured === 'schema' ? 'json' : 'off' };
  }
  if (sent.hasSystem && says(/system/i) && says(/role/i)) return { hasSystem: false };
  return undefined;
}

function otherRoom({ room }: Dialect, message: string): Partial<Dialect> {
  const [, most] =
    /(?:at most|up to|maximum(?: value)?(?: of| is|:)?|<=|less than or equal to) (\d{2,6})/i.exec(message) ??
    [];
  if (most) return { mostRoom: Number(most) };
  return { room: room === 'max_completion_tokens' ? 'max_tokens' : null };
}

/** Room for less, once, where a context too small for both was named with the room of the answer. */
export const lessRoom = ({ mostRoom, room }: Dialect, { message }: Refusal): Partial<Dialect> | undefined =>
  room && mostRoom === null && /completion/i.test(message) ? { mostRoom: LEAST_ROOM } : undefined;
