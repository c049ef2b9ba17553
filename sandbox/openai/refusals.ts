import { ThrownResponse } from '#sandbox/server/http.ts';

type Refusal = { message: string; type: string; param?: string | null; code: string | null };

export function refuse(status: number, error: Refusal, headers: Record<string, string> = {}): never {
  throw new ThrownResponse(status, { error: { param: null, ...error } }, headers);
}

export function invalid(message: string, param: string | null): never {
  refuse(400, { message, type: 'invalid_request_error', param, code: null });
}

export function incorrectKey(key: string): never {
  const masked = key.length > 8 ? `${key.slice(0, 4)}****${key.slice(-4)}` : '****';
  const message = `Incorrect API key provided: ${masked}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  refuse(401, { message, type: 'invalid_request_error', code: 'invalid_api_key' });
}
